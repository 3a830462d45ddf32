/* The running total, unit and link of each GPM metric id. */
#ifndef LAPWING_GPM_METRICS_H
#define LAPWING_GPM_METRICS_H

#include "quantity.h"

enum gpm_kind {
  GPM_UNKNOWN,     /* no such id in this library */
  GPM_ABSENT,      /* an id for hardware that none of these GPUs has */
  GPM_PERCENT,     /* average over the interval */
  GPM_RATE,        /* MiB/s over the interval */
  GPM_LINK_RATE,   /* the same, of one NVLink */
  GPM_C2C_RATE,    /* the same, of C2C, which has no running total */
  GPM_BYTES,       /* since the epoch */
  GPM_LINK_BYTES,  /* the same, of one NVLink */
  GPM_CYCLES,      /* of the SM clock, since the epoch */
  GPM_BUSY_CYCLES  /* those of them that a percentage was busy */
};

struct gpm_metric {
  enum gpm_kind kind;
  enum quantity quantity;
  unsigned link;
};

struct gpm_metric gpm_metric(unsigned id);

#endif
