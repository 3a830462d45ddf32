/*
 * Start and end of every call: the state that it reads, and the faults in the state.
 *
 *   API nvmlReturn_t nvmlDeviceGetX(nvmlDevice_t device, unsigned *x) {
 *     DEVICE_CALL(call, nvmlDeviceGetX, device);
 *     return answer_u32(&call, Q_X, 1, x);
 *   }
 */
#ifndef LAPWING_CALL_H
#define LAPWING_CALL_H

#include "nvml_abi.h"
#include "state_file.h"

#include <stddef.h>

/* One call in progress. All its values are of one moment. */
struct call {
  struct state *state;
  const struct gpu *gpu; /* NULL in calls without a device */
  const struct mig_instance *instance; /* NULL in calls for a whole GPU */
  int slot;
  double now; /* seconds since 1970, by the state's clock */
};

nvmlReturn_t begin_system_call(struct call *call, enum function function);
nvmlReturn_t begin_device_call(struct call *call, enum function function, nvmlDevice_t device);

/* The same for a call that also takes the handle of a MIG device: INVALID_ARGUMENT if its instance is gone. */
nvmlReturn_t begin_any_device_call(struct call *call, enum function function, nvmlDevice_t device);
void end_call(struct call *call);

/* For nvmlInit and the two version calls that work without it. */
nvmlReturn_t begin_call_before_init(struct call *call, enum function function);

/* For cleanup calls: they fail and block if a line says so, but work without a driver and after its reload. */
nvmlReturn_t begin_cleanup_call(struct call *call, enum function function);

#define CALL __attribute__((cleanup(end_call))) struct call

#define BEGIN(call, begin)                \
  CALL call = {0};                        \
  do {                                    \
    nvmlReturn_t refused = begin;         \
    if (refused != NVML_SUCCESS) {        \
      return refused;                     \
    }                                     \
  } while (0)

#define DEVICE_CALL(call, name, device) BEGIN(call, begin_device_call(&call, FUNCTION_##name, device))
#define ANY_DEVICE_CALL(call, name, device) BEGIN(call, begin_any_device_call(&call, FUNCTION_##name, device))
#define SYSTEM_CALL(call, name) BEGIN(call, begin_system_call(&call, FUNCTION_##name))

/* The value of a quantity now, or NOT_SUPPORTED. */
nvmlReturn_t answer_double(const struct call *call, enum quantity quantity, double *value);

/* The same, times scale, rounded; INVALID_ARGUMENT when there is nowhere to put it. */
nvmlReturn_t answer_u32(const struct call *call, enum quantity quantity, double scale, unsigned int *value);
nvmlReturn_t answer_i32(const struct call *call, enum quantity quantity, int *value);
nvmlReturn_t answer_u64(const struct call *call, enum quantity quantity, double scale, unsigned long long *value);

/* For structs with many members: 0 when unsupported. */
unsigned long long count_of(const struct call *call, enum quantity quantity);

/* Text into the caller's buffer; INSUFFICIENT_SIZE when it does not fit with its end. */
nvmlReturn_t answer_text(const char *text, char *buffer, unsigned int length);

unsigned long long to_u64(double value);

#endif
