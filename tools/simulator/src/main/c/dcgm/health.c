#include "health.h"

#include <stdio.h>

enum {
  NVLINK = 0x2,
  MEM = 0x10,
  INFOROM = 0x40,
  THERMAL = 0x80,
  POWER = 0x100,
  DRIVER = 0x200,
  IMEX = 0x2000,
  ALL = 0xffffffff
};

enum { WARN = DCGM_HEALTH_RESULT_WARN, FAIL = DCGM_HEALTH_RESULT_FAIL };

/* Of dcgmError_t. */
enum {
  FR_VOLATILE_DBE_DETECTED = 4,
  FR_CORRUPT_INFOROM = 9,
  FR_CLOCK_THROTTLE_THERMAL = 10,
  FR_CLOCK_THROTTLE_POWER = 12,
  FR_NVLINK_DOWN = 14,
  FR_FAULTY_MEMORY = 52,
  FR_ROW_REMAP_FAILURE = 80,
  FR_UNCONTAINED_ERROR = 81,
  FR_PENDING_ROW_REMAP = 85,
  FR_XID_ERROR = 101,
  FR_SRAM_THRESHOLD = 118,
  FR_FALLEN_OFF_BUS = 120,
  FR_IMEX_UNHEALTHY = 122,
  FR_GPU_RECOVERY_RESET = 125
};

enum { REASONS_THERMAL = 0x20 | 0x40, REASON_POWER_BRAKE = 0x80 };
enum { EVENT_XID = 0x8 };
enum { RECOVERY_ACTIONS = 4, RECOVERY_DRAIN_P2P = 3 };

/* How DCGM 4 reports an XID; others are not incidents. */
static const struct {
  unsigned xid;
  unsigned system;
  unsigned health;
  unsigned code;
} xids[] = {
    {31, MEM, WARN, FR_XID_ERROR},  {48, ALL, FAIL, FR_XID_ERROR},  {74, ALL, FAIL, FR_XID_ERROR},
    {94, ALL, FAIL, FR_XID_ERROR},  {95, ALL, FAIL, FR_UNCONTAINED_ERROR}, {119, ALL, FAIL, FR_XID_ERROR},
    {120, ALL, FAIL, FR_XID_ERROR}, {140, ALL, FAIL, FR_XID_ERROR},
};

unsigned long newest_xid(const struct state *state) {
  return state->events == 0 ? 0 : state->event[state->events - 1].number;
}

static void add(const struct health *health, unsigned slot, unsigned system, unsigned result, unsigned code) {
  DCGM_HEALTH_RESPONSE *response = health->response;
  unsigned most = sizeof response->incidents / sizeof response->incidents[0];
  if ((health->systems & system) == 0 || response->incidentCount == most) {
    return;
  }
  dcgmIncidentInfo_t *incident = &response->incidents[response->incidentCount++];
  incident->system = system;
  incident->health = result;
  incident->error.code = code;
  /* IMEX is of the node; DCGM 4.6 has it under NVLink. */
  incident->entityInfo = system == IMEX || code == FR_IMEX_UNHEALTHY ? (dcgmGroupEntityPair_t){DCGM_FE_NONE, 0}
                                                                     : (dcgmGroupEntityPair_t){DCGM_FE_GPU, slot};
  snprintf(incident->error.msg, sizeof incident->error.msg, "GPU %u: simulated incident %u.", slot, code);
  if (response->overallHealth < result) {
    response->overallHealth = result;
  }
}

static unsigned long long value(const struct health *health, unsigned slot, enum quantity quantity) {
  const struct gpu *gpu = &health->call->state->gpu[slot];
  return gpu->quantity[quantity].unsupported ? 0 : to_u64(gpu_value(gpu, quantity, health->call->now));
}

static bool is_set(const struct health *health, unsigned slot, enum quantity quantity) {
  return value(health, slot, quantity) > 0;
}

static void check_memory(const struct health *health, unsigned slot) {
  if (is_set(health, slot, Q_ECC_UNC_VOL_DRAM) || is_set(health, slot, Q_ECC_UNC_VOL_SRAM)) {
    add(health, slot, MEM, FAIL, FR_VOLATILE_DBE_DETECTED);
  }
  if (is_set(health, slot, Q_ROWS_FAILURE)) {
    add(health, slot, MEM, FAIL, FR_ROW_REMAP_FAILURE);
  }
  if (is_set(health, slot, Q_ROWS_PENDING)) {
    add(health, slot, MEM, WARN, FR_PENDING_ROW_REMAP);
  }
  if (is_set(health, slot, Q_SRAM_THRESHOLD)) {
    add(health, slot, MEM, FAIL, FR_SRAM_THRESHOLD);
  }
  if (is_set(health, slot, Q_MEMORY_UNREPAIRABLE)) {
    add(health, slot, MEM, FAIL, FR_FAULTY_MEMORY);
  }
}

/* One incident for each link. */
static void check_links(const struct health *health, unsigned slot) {
  for (unsigned link = 0; link < LINKS_MAX && link < value(health, slot, Q_NVLINK_COUNT); link++) {
    if (health->call->state->gpu[slot].inactive_links >> link & 1) {
      add(health, slot, NVLINK, FAIL, FR_NVLINK_DOWN);
    }
  }
}

static void check_clocks(const struct health *health, unsigned slot) {
  const struct gpu *gpu = &health->call->state->gpu[slot];
  unsigned long long reasons =
      gpu->quantity[Q_CLOCK_REASONS].derived ? 0 : value(health, slot, Q_CLOCK_REASONS);
  if (reasons & REASONS_THERMAL) {
    add(health, slot, THERMAL, WARN, FR_CLOCK_THROTTLE_THERMAL);
  }
  if (reasons & REASON_POWER_BRAKE) {
    add(health, slot, POWER, WARN, FR_CLOCK_THROTTLE_POWER);
  }
}

static void check_driver(const struct health *health, unsigned slot) {
  unsigned long long action = value(health, slot, Q_RECOVERY_ACTION);
  if (action > 0 && action <= RECOVERY_ACTIONS) {
    add(health, slot, DRIVER, action == RECOVERY_DRAIN_P2P ? WARN : FAIL, FR_GPU_RECOVERY_RESET - 1 + (unsigned)action);
  }
}

static void check_xids(const struct health *health, unsigned slot) {
  const struct state *state = health->call->state;
  for (int i = 0; i < state->events; i++) {
    const struct event *event = &state->event[i];
    for (unsigned x = 0; x < sizeof xids / sizeof xids[0]; x++) {
      if (event->gpu == (int)slot && event->number > health->since && event->type == EVENT_XID &&
          event->data == xids[x].xid) {
        add(health, slot, xids[x].system, xids[x].health, xids[x].code);
      }
    }
  }
}

static void check_lines(const struct health *health, unsigned slot) {
  const struct dcgm *engine = &health->call->state->dcgm;
  for (int i = 0; i < engine->incidents; i++) {
    if (engine->incident[i].gpu == slot) {
      add(health, slot, engine->incident[i].system, engine->incident[i].health, engine->incident[i].code);
    }
  }
}

void check_gpu(const struct health *health, unsigned slot) {
  if (health->call->state->dcgm.only_listed_incidents) {
    check_lines(health, slot);
    return;
  }
  if (health->call->state->gpu[slot].lost) {
    add(health, slot, ALL, FAIL, FR_FALLEN_OFF_BUS);
    return;
  }
  check_memory(health, slot);
  check_links(health, slot);
  if (!is_set(health, slot, Q_INFOROM_VALID)) {
    add(health, slot, INFOROM, WARN, FR_CORRUPT_INFOROM);
  }
  check_clocks(health, slot);
  check_driver(health, slot);
  check_xids(health, slot);
  check_lines(health, slot);
}
