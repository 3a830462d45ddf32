/* Event sets. An event is delivered once to every set that was registered for its GPU and type when it came. */
#include "call.h"
#include "devices.h"
#include "state_watch.h"

#include <pthread.h>
#include <time.h>

enum { SETS_MAX = 64 };

struct nvmlEventSet_st {
  bool used;
  unsigned long long types[GPUS_MAX];
  unsigned long delivered[GPUS_MAX]; /* number of the last event of this GPU that was returned, or came before the set */
};

/* A table instead of the heap, so that a freed or invalid set is recognised and refused. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nvmlEventSet_st sets[SETS_MAX];

static bool is_set(const struct nvmlEventSet_st *set) {
  for (int i = 0; i < SETS_MAX; i++) {
    if (set == &sets[i]) {
      return set->used;
    }
  }
  return false;
}

API nvmlReturn_t nvmlEventSetCreate(nvmlEventSet_t *set) {
  SYSTEM_CALL(call, nvmlEventSetCreate);
  if (set == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = NVML_ERROR_INSUFFICIENT_RESOURCES;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < SETS_MAX && answer != NVML_SUCCESS; i++) {
    if (!sets[i].used) {
      sets[i] = (struct nvmlEventSet_st){.used = true};
      *set = &sets[i];
      answer = NVML_SUCCESS;
    }
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

API nvmlReturn_t nvmlEventSetFree(nvmlEventSet_t set) {
  BEGIN(call, begin_cleanup_call(&call, FUNCTION_nvmlEventSetFree));
  pthread_mutex_lock(&lock);
  bool known = is_set(set);
  if (known) {
    set->used = false;
  }
  pthread_mutex_unlock(&lock);
  return known ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

API nvmlReturn_t nvmlDeviceGetSupportedEventTypes(nvmlDevice_t device, unsigned long long *types) {
  DEVICE_CALL(call, nvmlDeviceGetSupportedEventTypes, device);
  return answer_u64(&call, Q_EVENTS_SUPPORTED, 1, types);
}

static unsigned long newest_event(const struct state *state, int slot) {
  for (int i = state->events - 1; i >= 0; i--) {
    if (state->event[i].gpu == slot) {
      return state->event[i].number;
    }
  }
  return 0;
}

API nvmlReturn_t nvmlDeviceRegisterEvents(nvmlDevice_t device, unsigned long long types, nvmlEventSet_t set) {
  DEVICE_CALL(call, nvmlDeviceRegisterEvents, device);
  if ((types & ~count_of(&call, Q_EVENTS_SUPPORTED)) != 0) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  pthread_mutex_lock(&lock);
  bool known = is_set(set);
  if (known && set->types[call.slot] == 0) {
    set->delivered[call.slot] = newest_event(call.state, call.slot); /* earlier events are not recorded */
  }
  if (known) {
    set->types[call.slot] |= types;
  }
  pthread_mutex_unlock(&lock);
  return known ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static bool wants(const struct nvmlEventSet_st *set, const struct event *event) {
  return (set->types[event->gpu] & event->type) != 0 && event->number > set->delivered[event->gpu];
}

static bool lost_a_gpu(const struct nvmlEventSet_st *set, const struct state *state) {
  for (int slot = 0; slot < state->gpus; slot++) {
    if (set->types[slot] != 0 && state->gpu[slot].lost) {
      return true;
    }
  }
  return false;
}

/* TIMEOUT without an event. Events precede the loss of their GPU: XID 79 reports it. */
static nvmlReturn_t take_event(const struct state *state, nvmlEventSet_t set, nvmlEventData_t *data) {
  if (!is_set(set)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  for (int i = 0; i < state->events; i++) {
    const struct event *event = &state->event[i];
    if (wants(set, event)) {
      set->delivered[event->gpu] = event->number;
      unsigned compute = event->instance == NO_INSTANCE ? NO_INSTANCE : 0;
      *data = (nvmlEventData_t){handle_of(event->gpu), event->type, event->data, event->instance, compute};
      return NVML_SUCCESS;
    }
  }
  return lost_a_gpu(set, state) ? NVML_ERROR_GPU_IS_LOST : NVML_ERROR_TIMEOUT;
}

static nvmlReturn_t look(enum function function, nvmlEventSet_t set, nvmlEventData_t *data) {
  BEGIN(call, begin_system_call(&call, function));
  pthread_mutex_lock(&lock);
  nvmlReturn_t answer = take_event(call.state, set, data);
  pthread_mutex_unlock(&lock);
  return answer;
}

static long long monotonic_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

/* Sleeps until the state changes, as the real call sleeps until an event; holds no resource meanwhile. */
static nvmlReturn_t wait_for_event(enum function function, nvmlEventSet_t set, nvmlEventData_t *data,
                                   unsigned int timeout_ms) {
  if (data == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  long long deadline = monotonic_ms() + timeout_ms;
  int watch = timeout_ms == 0 ? -1 : watch_open();
  nvmlReturn_t answer = look(function, set, data);
  for (long long left = timeout_ms; answer == NVML_ERROR_TIMEOUT && left > 0; left = deadline - monotonic_ms()) {
    watch_wait(watch, left);
    answer = look(function, set, data);
  }
  watch_close(watch);
  return answer;
}

API nvmlReturn_t nvmlEventSetWait(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int timeout_ms) {
  return wait_for_event(FUNCTION_nvmlEventSetWait, set, data, timeout_ms);
}

#if NVML_VINTAGE >= 535
API nvmlReturn_t nvmlEventSetWait_v2(nvmlEventSet_t set, nvmlEventData_t *data, unsigned int timeout_ms) {
  return wait_for_event(FUNCTION_nvmlEventSetWait_v2, set, data, timeout_ms);
}
#endif
