/* The incidents that a host engine's health watches report for the faults in the state. */
#ifndef LAPWING_DCGM_HEALTH_H
#define LAPWING_DCGM_HEALTH_H

#include "../call.h"
#include "dcgm_abi.h"

#if DCGM_MAJOR == 3
#define DCGM_HEALTH_RESPONSE dcgmHealthResponse_v4
#define DCGM_HEALTH_VERSION 4
#else
#define DCGM_HEALTH_RESPONSE dcgmHealthResponse_v5
#define DCGM_HEALTH_VERSION 5
#endif

/* One check of one group. */
struct health {
  const struct call *call;
  unsigned systems;
  unsigned long since; /* XIDs up to this one are older than the watch */
  DCGM_HEALTH_RESPONSE *response;
};

/* 0 if there was none. */
unsigned long newest_xid(const struct state *state);

/* Adds the incidents of a GPU to the response. */
void check_gpu(const struct health *health, unsigned slot);

#endif
