/* Clocks, the performance state, and why clocks are held down. */
#include "counters.h"

static nvmlReturn_t clock_of_kind(const struct call *call, const enum quantity *kinds, unsigned int kind,
                                  unsigned int *megahertz) {
  return kind > 3 ? NVML_ERROR_INVALID_ARGUMENT : answer_u32(call, kinds[kind], 1, megahertz);
}

API nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, unsigned int kind, unsigned int *megahertz) {
  static const enum quantity kinds[] = {Q_CLOCK_GRAPHICS, Q_CLOCK_SM, Q_CLOCK_MEMORY, Q_CLOCK_VIDEO};
  DEVICE_CALL(call, nvmlDeviceGetClockInfo, device);
  return clock_of_kind(&call, kinds, kind, megahertz);
}

API nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, unsigned int kind, unsigned int *megahertz) {
  static const enum quantity kinds[] = {Q_CLOCK_SM_MAX, Q_CLOCK_SM_MAX, Q_CLOCK_MEMORY_MAX, Q_CLOCK_VIDEO_MAX};
  DEVICE_CALL(call, nvmlDeviceGetMaxClockInfo, device);
  return clock_of_kind(&call, kinds, kind, megahertz);
}

API nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, unsigned int kind, unsigned int *megahertz) {
  static const enum quantity kinds[] = {Q_CLOCK_SM_APPLICATION, Q_CLOCK_SM_APPLICATION, Q_CLOCK_MEMORY_APPLICATION};
  DEVICE_CALL(call, nvmlDeviceGetApplicationsClock, device);
  return kind > 2 ? NVML_ERROR_INVALID_ARGUMENT : clock_of_kind(&call, kinds, kind, megahertz);
}

API nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, int *state) {
  DEVICE_CALL(call, nvmlDeviceGetPerformanceState, device);
  return answer_i32(&call, Q_PSTATE, state);
}

static nvmlReturn_t current_reasons(nvmlDevice_t device, enum function function, unsigned long long *reasons) {
  BEGIN(call, begin_device_call(&call, function, device));
  return reasons == NULL ? NVML_ERROR_INVALID_ARGUMENT : clock_reasons(&call, reasons);
}

API nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons) {
  return current_reasons(device, FUNCTION_nvmlDeviceGetCurrentClocksThrottleReasons, reasons);
}

API nvmlReturn_t nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device, unsigned long long *reasons) {
  DEVICE_CALL(call, nvmlDeviceGetSupportedClocksThrottleReasons, device);
  return answer_u64(&call, Q_CLOCK_REASONS_SUPPORTED, 1, reasons);
}

#if NVML_VINTAGE >= 535
API nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons) {
  return current_reasons(device, FUNCTION_nvmlDeviceGetCurrentClocksEventReasons, reasons);
}

API nvmlReturn_t nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, unsigned long long *reasons) {
  DEVICE_CALL(call, nvmlDeviceGetSupportedClocksEventReasons, device);
  return answer_u64(&call, Q_CLOCK_REASONS_SUPPORTED, 1, reasons);
}
#endif

API nvmlReturn_t nvmlDeviceGetViolationStatus(nvmlDevice_t device, unsigned int policy, nvmlViolationTime_t *time) {
  static const enum quantity policies[] = {
      Q_VIOLATION_POWER,           Q_VIOLATION_THERMAL,     Q_VIOLATION_SYNC_BOOST, Q_VIOLATION_BOARD,
      Q_VIOLATION_LOW_UTILIZATION, Q_VIOLATION_RELIABILITY,
  };
  DEVICE_CALL(call, nvmlDeviceGetViolationStatus, device);
  if (time == NULL || (policy > 5 && policy != 10 && policy != 11)) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  enum quantity asked = policy == 10   ? Q_VIOLATION_APP_CLOCKS
                        : policy == 11 ? Q_VIOLATION_BASE_CLOCKS
                                       : policies[policy];
  unsigned long long nanoseconds = 0;
  nvmlReturn_t answer = answer_u64(&call, asked, 1, &nanoseconds);
  if (answer == NVML_SUCCESS) {
    *time = (nvmlViolationTime_t){.referenceTime = to_u64(call.now * 1e6), .violationTime = nanoseconds};
  }
  return answer;
}
