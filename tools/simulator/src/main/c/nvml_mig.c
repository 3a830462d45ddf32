/* MIG: the mode, and the devices of the GPU instances in the state. */
#include "devices.h"
#include "mig.h"

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
  if (mig == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (call.gpu->quantity[Q_MIG_MODE].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  if (!mig_enabled(call.gpu, call.now) || index >= (unsigned)call.gpu->instances) {
    return NVML_ERROR_NOT_FOUND;
  }
  *mig = mig_handle_of(call.slot, call.gpu->instance[index].id);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceIsMigDeviceHandle(nvmlDevice_t device, unsigned int *answer) {
  ANY_DEVICE_CALL(call, nvmlDeviceIsMigDeviceHandle, device);
  if (answer == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *answer = call.instance != NULL;
  return NVML_SUCCESS;
}

/* A query of a MIG device; refused is the answer for a whole GPU. */
#define MIG_CALL(function, type, refused, found)                   \
  API nvmlReturn_t function(nvmlDevice_t device, type *value) {    \
    ANY_DEVICE_CALL(call, function, device);                       \
    if (value == NULL || call.instance == NULL) {                  \
      return value == NULL ? NVML_ERROR_INVALID_ARGUMENT : refused; \
    }                                                              \
    *value = found;                                                \
    return NVML_SUCCESS;                                           \
  }

static nvmlDeviceAttributes_t attributes(const struct mig_profile *profile) {
  return (nvmlDeviceAttributes_t){
      .multiprocessorCount = profile->multiprocessors,
      .sharedCopyEngineCount = profile->slices,
      .sharedDecoderCount = profile->slices,
      .gpuInstanceSliceCount = profile->slices,
      .computeInstanceSliceCount = profile->slices,
      .memorySizeMB = profile->mebibytes,
  };
}

MIG_CALL(nvmlDeviceGetDeviceHandleFromMigDeviceHandle, nvmlDevice_t, NVML_ERROR_INVALID_ARGUMENT, handle_of(call.slot))
MIG_CALL(nvmlDeviceGetGpuInstanceId, unsigned int, NVML_ERROR_INVALID_ARGUMENT, call.instance->id)
MIG_CALL(nvmlDeviceGetComputeInstanceId, unsigned int, NVML_ERROR_INVALID_ARGUMENT, 0)
MIG_CALL(nvmlDeviceGetAttributes, nvmlDeviceAttributes_t, NVML_ERROR_NOT_SUPPORTED, attributes(call.instance->profile))
MIG_CALL(nvmlDeviceGetAttributes_v2, nvmlDeviceAttributes_t, NVML_ERROR_NOT_SUPPORTED,
         attributes(call.instance->profile))

/* The handle of a GPU instance is that of its one MIG device, under another type. */
API nvmlReturn_t nvmlDeviceGetGpuInstanceById(nvmlDevice_t device, unsigned int id, nvmlGpuInstance_t *instance) {
  DEVICE_CALL(call, nvmlDeviceGetGpuInstanceById, device);
  if (instance == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (!mig_enabled(call.gpu, call.now)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  if (mig_instance(call.gpu, id, call.now) == NULL) {
    return NVML_ERROR_NOT_FOUND;
  }
  *instance = (nvmlGpuInstance_t)mig_handle_of(call.slot, id);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlGpuInstanceGetInfo(nvmlGpuInstance_t instance, nvmlGpuInstanceInfo_t *info) {
  ANY_DEVICE_CALL(call, nvmlGpuInstanceGetInfo, (nvmlDevice_t)instance);
  if (info == NULL || call.instance == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *info = (nvmlGpuInstanceInfo_t){
      .device = handle_of(call.slot),
      .id = call.instance->id,
      .profileId = call.instance->profile->id,
      .placement = {.start = call.instance->start, .size = call.instance->profile->size},
  };
  return NVML_SUCCESS;
}
