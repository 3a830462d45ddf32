/* How busy the engines are, in percent over the driver's own sampling period. */
#include "mig.h"

API nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *utilization) {
  DEVICE_CALL(call, nvmlDeviceGetUtilizationRates, device);
  if (utilization == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (mig_enabled(call.gpu, call.now)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  nvmlReturn_t answer = answer_u32(&call, Q_UTILIZATION_GPU, 1, &utilization->gpu);
  return answer != NVML_SUCCESS ? answer : answer_u32(&call, Q_UTILIZATION_MEMORY, 1, &utilization->memory);
}

#define ENGINE_CALL(function, symbol)                                                                       \
  API nvmlReturn_t function(nvmlDevice_t device, unsigned int *percent, unsigned int *period_microseconds) { \
    DEVICE_CALL(call, function, device);                                                                    \
    if (period_microseconds == NULL) {                                                                      \
      return NVML_ERROR_INVALID_ARGUMENT;                                                                   \
    }                                                                                                       \
    *period_microseconds = 167000;                                                                          \
    return answer_u32(&call, symbol, 1, percent);                                                           \
  }

ENGINE_CALL(nvmlDeviceGetEncoderUtilization, Q_UTILIZATION_ENCODER)
ENGINE_CALL(nvmlDeviceGetDecoderUtilization, Q_UTILIZATION_DECODER)
#if NVML_VINTAGE >= 535
ENGINE_CALL(nvmlDeviceGetJpgUtilization, Q_UTILIZATION_JPEG)
ENGINE_CALL(nvmlDeviceGetOfaUtilization, Q_UTILIZATION_OFA)
#endif
