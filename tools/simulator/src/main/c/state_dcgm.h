/* The lines of the state file about DCGM: dcgm.KEY = value. */
#ifndef LAPWING_STATE_DCGM_H
#define LAPWING_STATE_DCGM_H

#include "state.h"

/* The engine's values without a line. */
void preset_dcgm(struct dcgm *dcgm);

/* A value of a switch, or of one of its ports; INFINITY for a blank one. */
double dcgm_part_value(const struct dcgm *dcgm, enum switch_value value, unsigned nvswitch, unsigned port);

/* false when the line is garbled. */
bool read_dcgm_line(struct dcgm *dcgm, const char *key, const char *value);

#endif
