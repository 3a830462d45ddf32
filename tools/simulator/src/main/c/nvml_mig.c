/* MIG: the mode and its limits. No GPU is partitioned here, so there are no MIG devices to hand out. */
#include "call.h"

API nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending) {
  DEVICE_CALL(call, nvmlDeviceGetMigMode, device);
  nvmlReturn_t answer = answer_u32(&call, Q_MIG_MODE, 1, current);
  return answer != NVML_SUCCESS ? answer : answer_u32(&call, Q_MIG_MODE_PENDING, 1, pending);
}

API nvmlReturn_t nvmlDeviceGetMaxMigDeviceCount(nvmlDevice_t device, unsigned int *count) {
  DEVICE_CALL(call, nvmlDeviceGetMaxMigDeviceCount, device);
  return answer_u32(&call, Q_MIG_DEVICES_MAX, 1, count);
}

API nvmlReturn_t nvmlDeviceGetMigDeviceHandleByIndex(nvmlDevice_t device, unsigned int index, nvmlDevice_t *mig) {
  DEVICE_CALL(call, nvmlDeviceGetMigDeviceHandleByIndex, device);
  (void)index;
  if (mig == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return call.gpu->quantity[Q_MIG_MODE].unsupported ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_NOT_FOUND;
}

/* MIG queries on whole GPUs. */
#define WHOLE_GPU_CALL(function, type, answer)                        \
  API nvmlReturn_t function(nvmlDevice_t device, type *value) {       \
    DEVICE_CALL(call, function, device);                              \
    return value == NULL ? NVML_ERROR_INVALID_ARGUMENT : (answer);    \
  }

WHOLE_GPU_CALL(nvmlDeviceGetDeviceHandleFromMigDeviceHandle, nvmlDevice_t, NVML_ERROR_INVALID_ARGUMENT)
WHOLE_GPU_CALL(nvmlDeviceGetGpuInstanceId, unsigned int, NVML_ERROR_INVALID_ARGUMENT)
WHOLE_GPU_CALL(nvmlDeviceGetComputeInstanceId, unsigned int, NVML_ERROR_INVALID_ARGUMENT)
WHOLE_GPU_CALL(nvmlDeviceGetAttributes, nvmlDeviceAttributes_t, NVML_ERROR_NOT_SUPPORTED)
WHOLE_GPU_CALL(nvmlDeviceGetAttributes_v2, nvmlDeviceAttributes_t, NVML_ERROR_NOT_SUPPORTED)
