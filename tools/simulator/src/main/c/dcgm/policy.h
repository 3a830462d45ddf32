/* Clients that registered for violations of policies, and the thread that calls them. */
#ifndef LAPWING_DCGM_POLICY_H
#define LAPWING_DCGM_POLICY_H

#include "../state.h"
#include "dcgm_abi.h"

typedef int (*policy_callback_v1)(dcgmPolicyCallbackResponse_v1 *response);
typedef int (*policy_callback_v2)(dcgmPolicyCallbackResponse_v2 *response, uint64_t user_data);

struct registration {
  dcgmHandle_t handle; /* 0: free */
  unsigned gpus;       /* a bit for each */
  unsigned conditions;
  unsigned long delivered; /* the number of the last violation that was delivered, or that came before */
  policy_callback_v1 begin; /* DCGM 3 calls both for each violation; either may be NULL */
  policy_callback_v1 finish;
  policy_callback_v2 callback; /* DCGM 4 */
  uint64_t user_data;
};

/* Calls back from a thread of the library for every violation from now on. */
dcgmReturn_t policy_watch(const struct state *state, struct registration wanted);

/* Ends all registrations of a connection. One that is being called may still be called once more. */
void policy_unwatch(dcgmHandle_t handle);

#endif
