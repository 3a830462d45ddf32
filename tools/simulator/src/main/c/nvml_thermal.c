/* Temperatures, their limits, and the margin to them. */
#include "call.h"

API nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, unsigned int sensor, unsigned int *temperature) {
  DEVICE_CALL(call, nvmlDeviceGetTemperature, device);
  return sensor != 0 ? NVML_ERROR_INVALID_ARGUMENT : answer_u32(&call, Q_TEMPERATURE, 1, temperature);
}

#if NVML_VINTAGE >= 535
API nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_v1_t *temperature) {
  DEVICE_CALL(call, nvmlDeviceGetTemperatureV, device);
  if (temperature == NULL || temperature->sensorType != 0) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (temperature->version != nvmlTemperature_v1) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  return answer_i32(&call, Q_TEMPERATURE, &temperature->temperature);
}

API nvmlReturn_t nvmlDeviceGetMarginTemperature(nvmlDevice_t device, nvmlMarginTemperature_v1_t *margin) {
  DEVICE_CALL(call, nvmlDeviceGetMarginTemperature, device);
  if (margin == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (margin->version != nvmlMarginTemperature_v1) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  return answer_i32(&call, Q_TEMPERATURE_MARGIN, &margin->marginTemperature);
}
#endif

API nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, unsigned int type, unsigned int *limit) {
  static const enum quantity limits[] = {Q_THRESHOLD_SHUTDOWN, Q_THRESHOLD_SLOWDOWN, Q_THRESHOLD_MEMORY_MAX,
                                         Q_THRESHOLD_GPU_MAX};
  DEVICE_CALL(call, nvmlDeviceGetTemperatureThreshold, device);
  if (type > 7) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  /* 4 to 7 are acoustic limits, which a board without a fan does not have. */
  return type > 3 ? NVML_ERROR_NOT_SUPPORTED : answer_u32(&call, limits[type], 1, limit);
}
