#include "call.h"

#include "devices.h"
#include "mig.h"
#include "state_watch.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Recheck interval of a call that hangs forever, in case a change notification is missed. */
enum { LONGEST_WAIT_MS = 1000 };

static const struct fault *fault_of(const struct state *state, int slot, enum function function) {
  return slot < 0 ? &state->fault[function] : &state->gpu[slot].fault[function];
}

static double monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Simulates a crash in the driver's library. */
static void crash(void) {
  volatile int *nowhere = NULL;
  *nowhere = 1;
}

/* Waits for the time in the state. Releases the state meanwhile, so that a hung call holds no resource. */
static void wait_while_blocked(struct call *call, int slot, enum function function) {
  if (fault_of(call->state, slot, function)->crashes) {
    crash();
  }
  if (fault_of(call->state, slot, function)->seconds == 0) {
    return;
  }
  int watch = watch_open();
  double looked = monotonic();
  double waited = 0;
  for (;;) {
    double seconds = fault_of(call->state, slot, function)->seconds;
    double pace = state_pace(call->state);
    double now = monotonic();
    waited += (now - looked) * pace;
    looked = now;
    double left = seconds - waited;
    if (seconds == 0 || left <= 0) {
      break;
    }
    state_release(call->state);
    watch_wait(watch, isinf(left) ? LONGEST_WAIT_MS : (long long)(left / pace * 1000) + 1);
    call->state = state_acquire();
  }
  watch_close(watch);
}

static nvmlReturn_t begin(struct call *call, int slot, enum function function) {
  call->state = state_acquire();
  call->slot = slot;
  wait_while_blocked(call, slot, function);
  if (call->state->driver_mismatch) {
    return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
  }
  if (!call->state->driver_loaded) {
    return NVML_ERROR_DRIVER_NOT_LOADED;
  }
  call->now = state_now(call->state);
  return NVML_SUCCESS;
}

nvmlReturn_t begin_call_before_init(struct call *call, enum function function) {
  nvmlReturn_t refused = begin(call, -1, function);
  return refused != NVML_SUCCESS ? refused : (nvmlReturn_t)fault_of(call->state, -1, function)->code;
}

nvmlReturn_t begin_cleanup_call(struct call *call, enum function function) {
  call->state = state_acquire();
  wait_while_blocked(call, -1, function);
  return (nvmlReturn_t)fault_of(call->state, -1, function)->code;
}

nvmlReturn_t begin_system_call(struct call *call, enum function function) {
  nvmlReturn_t refused = begin(call, -1, function);
  if (refused != NVML_SUCCESS) {
    return refused;
  }
  if (!initialised(call->state)) {
    return NVML_ERROR_UNINITIALIZED;
  }
  return (nvmlReturn_t)fault_of(call->state, -1, function)->code;
}

nvmlReturn_t begin_device_call(struct call *call, enum function function, nvmlDevice_t device) {
  int slot = slot_of(device);
  nvmlReturn_t refused = begin(call, slot, function);
  if (refused != NVML_SUCCESS) {
    return refused;
  }
  if (!initialised(call->state)) {
    return NVML_ERROR_UNINITIALIZED;
  }
  if (slot < 0) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  call->gpu = &call->state->gpu[slot];
  if (call->gpu->lost) {
    return NVML_ERROR_GPU_IS_LOST;
  }
  return (nvmlReturn_t)fault_of(call->state, slot, function)->code;
}

nvmlReturn_t begin_any_device_call(struct call *call, enum function function, nvmlDevice_t device) {
  int slot;
  unsigned id;
  if (!is_mig_device(device, &slot, &id)) {
    return begin_device_call(call, function, device);
  }
  nvmlReturn_t refused = begin_device_call(call, function, handle_of(slot));
  if (refused != NVML_SUCCESS) {
    return refused;
  }
  call->instance = mig_instance(call->gpu, id, call->now);
  return call->instance == NULL ? NVML_ERROR_INVALID_ARGUMENT : NVML_SUCCESS;
}

void end_call(struct call *call) {
  if (call->state != NULL) {
    state_release(call->state);
  }
}

nvmlReturn_t answer_double(const struct call *call, enum quantity quantity, double *value) {
  if (call->gpu->quantity[quantity].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  *value = gpu_value(call->gpu, quantity, call->now);
  return NVML_SUCCESS;
}

unsigned long long to_u64(double value) { return value > 0 ? (unsigned long long)(value + 0.5) : 0; }

nvmlReturn_t answer_u64(const struct call *call, enum quantity quantity, double scale, unsigned long long *value) {
  double number = 0;
  if (value == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = answer_double(call, quantity, &number);
  if (answer == NVML_SUCCESS) {
    *value = to_u64(number * scale);
  }
  return answer;
}

nvmlReturn_t answer_u32(const struct call *call, enum quantity quantity, double scale, unsigned int *value) {
  unsigned long long wide = 0;
  if (value == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = answer_u64(call, quantity, scale, &wide);
  if (answer == NVML_SUCCESS) {
    *value = (unsigned int)wide;
  }
  return answer;
}

nvmlReturn_t answer_i32(const struct call *call, enum quantity quantity, int *value) {
  double number = 0;
  if (value == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = answer_double(call, quantity, &number);
  if (answer == NVML_SUCCESS) {
    *value = (int)lround(number);
  }
  return answer;
}

unsigned long long count_of(const struct call *call, enum quantity quantity) {
  unsigned long long value = 0;
  answer_u64(call, quantity, 1, &value);
  return value;
}

nvmlReturn_t answer_text(const char *text, char *buffer, unsigned int length) {
  if (buffer == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (strcmp(text, "unsupported") == 0) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  if (strlen(text) >= length) {
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  memcpy(buffer, text, strlen(text) + 1);
  return NVML_SUCCESS;
}
