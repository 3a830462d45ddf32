#include "policy.h"

#include "../state_file.h"
#include "../state_watch.h"
#include "session.h"

#include <pthread.h>

enum { REGISTRATIONS_MAX = 64, LONGEST_WAIT_MS = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct registration registration[REGISTRATIONS_MAX];
static bool running;

/* The first that is not delivered yet; lines of the state have no order. */
static const struct dcgm_violation *after(const struct dcgm *dcgm, unsigned long delivered) {
  const struct dcgm_violation *next = NULL;
  for (int i = 0; i < dcgm->violations; i++) {
    const struct dcgm_violation *one = &dcgm->violation[i];
    if (one->number > delivered && (next == NULL || one->number < next->number)) {
      next = one;
    }
  }
  return next;
}

/* The next violation to deliver to a registration; false if there is none. */
static bool take(const struct state *state, struct registration *one, struct dcgm_violation *next) {
  bool connected = connection_check(one->handle, &state->dcgm) == DCGM_ST_OK;
  const struct dcgm_violation *violation;
  while ((violation = after(&state->dcgm, one->delivered)) != NULL) {
    one->delivered = violation->number;
    if (connected && (one->gpus >> violation->gpu & 1) &&
        (one->conditions & state->dcgm.policy[violation->gpu] & violation->condition)) {
      *next = *violation;
      return true;
    }
  }
  return false;
}

static void tell(const struct registration *one, const struct dcgm_violation *violation, double now) {
  dcgmPolicyConditionValue_t value = {(long long)(now * 1e6), 1, 0};
  dcgmPolicyCallbackResponse_v1 of_3 = {DCGM_VERSION_WORD(dcgmPolicyCallbackResponse_v1, 1), violation->condition,
                                        value};
  dcgmPolicyCallbackResponse_v2 of_4 = {DCGM_VERSION_WORD(dcgmPolicyCallbackResponse_v2, 2), violation->condition,
                                        value, violation->gpu};
  if (one->begin != NULL) {
    one->begin(&of_3);
  }
  if (one->finish != NULL) {
    one->finish(&of_3);
  }
  if (one->callback != NULL) {
    one->callback(&of_4, one->user_data);
  }
}

/* No lock is held in a callback. */
static void deliver(const struct state *state) {
  for (int i = 0; i < REGISTRATIONS_MAX; i++) {
    struct dcgm_violation next;
    for (bool more = true; more;) {
      pthread_mutex_lock(&lock);
      more = registration[i].handle != 0 && take(state, &registration[i], &next);
      struct registration copy = registration[i];
      pthread_mutex_unlock(&lock);
      if (more) {
        tell(&copy, &next, state_now(state));
      }
    }
  }
}

static bool is_wanted(void) {
  pthread_mutex_lock(&lock);
  bool wanted = false;
  for (int i = 0; i < REGISTRATIONS_MAX; i++) {
    wanted |= registration[i].handle != 0;
  }
  running = wanted;
  pthread_mutex_unlock(&lock);
  return wanted;
}

static void *run(void *unused) {
  int watch = watch_open();
  while (is_wanted()) {
    struct state *state = state_acquire();
    deliver(state);
    state_release(state);
    watch_wait(watch, LONGEST_WAIT_MS);
  }
  watch_close(watch);
  return unused;
}

static bool start(void) {
  pthread_t thread;
  bool started = pthread_create(&thread, NULL, run, NULL) == 0;
  if (started) {
    pthread_detach(thread);
  }
  return started;
}

dcgmReturn_t policy_watch(const struct state *state, struct registration wanted) {
  dcgmReturn_t answer = DCGM_ST_MAX_LIMIT;
  for (int i = 0; i < state->dcgm.violations; i++) {
    unsigned long number = state->dcgm.violation[i].number;
    wanted.delivered = number > wanted.delivered ? number : wanted.delivered;
  }
  pthread_mutex_lock(&lock);
  running = running || start();
  for (int i = 0; i < REGISTRATIONS_MAX && running && answer != DCGM_ST_OK; i++) {
    if (registration[i].handle == 0) {
      registration[i] = wanted;
      answer = DCGM_ST_OK;
    }
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

void policy_unwatch(dcgmHandle_t handle) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < REGISTRATIONS_MAX; i++) {
    if (registration[i].handle == handle) {
      registration[i] = (struct registration){0};
    }
  }
  pthread_mutex_unlock(&lock);
}
