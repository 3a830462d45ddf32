/* The engine's values of NVSwitches and their links, except SXids. */
#ifndef LAPWING_DCGM_LINKS_H
#define LAPWING_DCGM_LINKS_H

#include "../state.h"
#include "dcgm_abi.h"

struct part_field {
  unsigned group; /* DCGM_FE_SWITCH or DCGM_FE_LINK */
  unsigned short field;
  enum switch_value value;
};

/* The field of that kind of entity, or NULL. */
const struct part_field *part_field(unsigned group, unsigned short field);

/* The state of each port of the switches, in the version of the struct. */
dcgmReturn_t answer_links(const struct state *state, void *status);

/* A value of a field of part_field. */
void sample_part(const struct state *state, double now, dcgmFieldValue_v2 *value);

#endif
