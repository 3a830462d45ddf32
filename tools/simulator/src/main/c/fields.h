/* The field ids of nvmlDeviceGetFieldValues. */
#ifndef LAPWING_FIELDS_H
#define LAPWING_FIELDS_H

#include "call.h"

#include <stdint.h>

enum needs { NEEDS_NOTHING, NEEDS_NVLINK, NEEDS_NVLINK_4, NEEDS_NVLINK_5 };

struct field;

/* Raw value of a field as a double, which holds every count up to 2^53 exactly. */
typedef nvmlReturn_t read_field(const struct call *call, const struct field *field, unsigned scope, double *value);

struct field {
  read_field *read; /* NULL for ids that are known but that none of these GPUs supports */
  nvmlValueType_t type;
  enum needs needs;
  enum quantity quantity;
  double scale;
  unsigned link; /* for ids that name one link */
};

/* By id; NULL for an unknown id. */
const struct field *field_by_id(unsigned id);

#endif
