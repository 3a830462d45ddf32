#include "links.h"

#include "../state_dcgm.h"

#include <math.h>
#include <string.h>

static const struct part_field fields[] = {
    {DCGM_FE_SWITCH, 705, SWITCH_POWER}, {DCGM_FE_SWITCH, 858, SWITCH_TEMPERATURE}, {DCGM_FE_SWITCH, 864, SWITCH_RESET},
    {DCGM_FE_LINK, 780, PORT_TX},        {DCGM_FE_LINK, 781, PORT_RX},              {DCGM_FE_LINK, 782, PORT_FATAL},
    {DCGM_FE_LINK, 783, PORT_NON_FATAL}, {DCGM_FE_LINK, 784, PORT_REPLAY},          {DCGM_FE_LINK, 785, PORT_RECOVERY},
    {DCGM_FE_LINK, 787, PORT_CRC},       {DCGM_FE_LINK, 788, PORT_ECC},             {DCGM_FE_LINK, 870, PORT_STATUS},
};

const struct part_field *part_field(unsigned group, unsigned short field) {
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    if (fields[i].group == group && fields[i].field == field) {
      return &fields[i];
    }
  }
  return NULL;
}

/* As DCGM's NSCQ module maps it: off and safe are disabled, active and sleep up, the others down. */
static unsigned link_state(const struct dcgm *dcgm, unsigned nvswitch, unsigned port) {
  double status = dcgm_part_value(dcgm, PORT_STATUS, nvswitch, port);
  return status == 0 || status == 1 ? DCGM_LINK_DISABLED : status == 2 || status == 4 ? DCGM_LINK_UP : DCGM_LINK_DOWN;
}

static void fill(const struct dcgm *dcgm, unsigned nvswitch, unsigned *states, unsigned room) {
  for (unsigned port = 0; port < room; port++) {
    states[port] = port < DCGM_PORTS_MAX ? link_state(dcgm, nvswitch, port) : DCGM_LINK_DISABLED;
  }
}

/* GPUs are left out: their links are not read by DCGM. */
#define ANSWER(type, status, dcgm)                                                   \
  do {                                                                               \
    type *answer = status;                                                           \
    answer->numGpus = 0;                                                             \
    answer->numNvSwitches = (unsigned)(dcgm)->switches;                              \
    for (unsigned s = 0; s < answer->numNvSwitches; s++) {                           \
      unsigned *states = answer->nvSwitches[s].linkState;                            \
      answer->nvSwitches[s].entityId = s;                                            \
      fill(dcgm, s, states, sizeof answer->nvSwitches[s].linkState / sizeof *states); \
    }                                                                                \
  } while (0)

dcgmReturn_t answer_links(const struct state *state, void *status) {
  unsigned version;
  memcpy(&version, status, sizeof version);
  if (DCGM_MAJOR == 3 && version == DCGM_VERSION_WORD(dcgmNvLinkStatus_v3, 3)) {
    ANSWER(dcgmNvLinkStatus_v3, status, &state->dcgm);
    return DCGM_ST_OK;
  }
  if (DCGM_MAJOR > 3 && version == DCGM_VERSION_WORD(dcgmNvLinkStatus_v4, 4)) {
    ANSWER(dcgmNvLinkStatus_v4, status, &state->dcgm);
    return DCGM_ST_OK;
  }
  return DCGM_ST_VER_MISMATCH;
}

/* Without a line a port carries 800 Mibit a second. */
static double part_value(const struct state *state, double now, enum switch_value value, dcgm_link_t link) {
  double found = dcgm_part_value(&state->dcgm, value, link.parsed.switchId, link.parsed.index);
  bool carries = (value == PORT_TX || value == PORT_RX) && found == 0;
  return carries ? floor((now - state->epoch) * 800) : found;
}

/* Before the first SXid there is no sample. */
void sample_part(const struct state *state, double now, dcgmFieldValue_v2 *value) {
  const struct part_field *field = part_field(value->entityGroupId, value->fieldId);
  dcgm_link_t link = {.raw = value->entityId};
  if (field->group == DCGM_FE_SWITCH) {
    link.raw = 0;
    link.parsed.switchId = value->entityId & 0xff;
  }
  double found = part_value(state, now, field->value, link);
  value->fieldType = 'i';
  value->ts = (int64_t)(now * 1e6);
  value->value.i64 = isinf(found) ? DCGM_INT64_BLANK : llround(found);
  if ((field->value == PORT_FATAL || field->value == PORT_NON_FATAL) && found == 0) {
    value->status = DCGM_ST_NO_DATA;
  }
}
