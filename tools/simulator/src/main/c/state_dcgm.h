/* The lines of the state file about DCGM: dcgm.KEY = value. */
#ifndef LAPWING_STATE_DCGM_H
#define LAPWING_STATE_DCGM_H

#include "state.h"

/* false when the line is garbled. */
bool read_dcgm_line(struct dcgm *dcgm, const char *key, const char *value);

#endif
