/* vGPUs: the mode of a GPU, those that are active on a GPU of a host, and the licence of one in its virtual machine. */
#include "call.h"
#include "devices.h"

#include <stdio.h>
#include <string.h>

enum { MODE_VGPU = 2, MODE_HOST_VGPU = 3, FEATURE_VGPU = 1, FIRST_ID = 1000, VALUE_UNSIGNED_INT = 1 };
enum { LICENSED = 5, DRIVER_MISSING = 0, TYPE_STEP = 8192 };

static unsigned long long mode_of(const struct call *call) {
  return call->gpu->quantity[Q_VIRTUALIZATION].unsupported
             ? 0
             : to_u64(gpu_value(call->gpu, Q_VIRTUALIZATION, call->now));
}

API nvmlReturn_t nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, unsigned int *mode) {
  DEVICE_CALL(call, nvmlDeviceGetVirtualizationMode, device);
  return answer_u32(&call, Q_VIRTUALIZATION, 1, mode);
}

/* 1: SR-IOV */
API nvmlReturn_t nvmlDeviceGetHostVgpuMode(nvmlDevice_t device, unsigned int *mode) {
  DEVICE_CALL(call, nvmlDeviceGetHostVgpuMode, device);
  if (mode == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *mode = 1;
  return mode_of(&call) == MODE_HOST_VGPU ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
}

static nvmlVgpuInstance_t id_of(int slot, int place) { return (unsigned)(FIRST_ID + slot * VGPUS_MAX + place); }

API nvmlReturn_t nvmlDeviceGetActiveVgpus(nvmlDevice_t device, unsigned int *count, nvmlVgpuInstance_t *instances) {
  DEVICE_CALL(call, nvmlDeviceGetActiveVgpus, device);
  if (count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (mode_of(&call) != MODE_HOST_VGPU) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  unsigned room = *count;
  *count = 0;
  for (int place = 0; place < VGPUS_MAX; place++) {
    if (call.gpu->vgpu[place].mebibytes > 0) {
      if (*count < room && instances != NULL) {
        instances[*count] = id_of(call.slot, place);
      }
      ++*count;
    }
  }
  return *count > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

/* One sample for each, of this moment. */
API nvmlReturn_t nvmlDeviceGetVgpuUtilization(nvmlDevice_t device, unsigned long long since, unsigned int *type,
                                              unsigned int *count, nvmlVgpuInstanceUtilizationSample_t *samples) {
  DEVICE_CALL(call, nvmlDeviceGetVgpuUtilization, device);
  if (type == NULL || count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (mode_of(&call) != MODE_HOST_VGPU) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  unsigned long long now = to_u64(call.now * 1e6);
  unsigned room = *count;
  *count = 0;
  *type = VALUE_UNSIGNED_INT;
  for (int place = 0; place < VGPUS_MAX && now > since; place++) {
    const struct vgpu *vgpu = &call.gpu->vgpu[place];
    if (vgpu->mebibytes == 0) {
      continue;
    }
    if (*count < room && samples != NULL) {
      nvmlVgpuInstanceUtilizationSample_t *sample = &samples[*count];
      memset(sample, 0, sizeof *sample);
      sample->vgpuInstance = id_of(call.slot, place);
      sample->timeStamp = now;
      sample->smUtil.uiVal = vgpu->utilization;
      sample->memUtil.uiVal = vgpu->utilization / 2;
    }
    ++*count;
  }
  return *count == 0 ? NVML_ERROR_NOT_FOUND : *count > room ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS;
}

/* A call for the vGPU of this id; NOT_FOUND if there is none now. */
#define VGPU_CALL(call, name, id, out)                                                                     \
  int slot = (id) < FIRST_ID ? -1 : (int)((id)-FIRST_ID) / VGPUS_MAX;                                       \
  if (slot < 0 || slot >= GPUS_MAX || out == NULL) {                                                        \
    return out == NULL ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_FOUND;                                \
  }                                                                                                        \
  DEVICE_CALL(call, name, handle_of(slot));                                                                 \
  const struct vgpu *vgpu = &call.gpu->vgpu[((id)-FIRST_ID) % VGPUS_MAX];                                   \
  if (vgpu->mebibytes == 0) {                                                                               \
    return NVML_ERROR_NOT_FOUND;                                                                            \
  }                                                                                                        \
  (void)vgpu

API nvmlReturn_t nvmlVgpuInstanceGetUUID(nvmlVgpuInstance_t id, char *uuid, unsigned int length) {
  VGPU_CALL(call, nvmlVgpuInstanceGetUUID, id, uuid);
  char text[80];
  snprintf(text, sizeof text, "00000000-0000-4000-8000-%012u", id);
  return answer_text(text, uuid, length);
}

/* 1: a UUID */
API nvmlReturn_t nvmlVgpuInstanceGetVmID(nvmlVgpuInstance_t id, char *vm, unsigned int length, unsigned int *kind) {
  VGPU_CALL(call, nvmlVgpuInstanceGetVmID, id, vm);
  if (kind == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *kind = 1;
  return answer_text(vgpu->vm, vm, length);
}

/* Each vGPU has a type of its own, which differs by its size. */
API nvmlReturn_t nvmlVgpuInstanceGetType(nvmlVgpuInstance_t id, nvmlVgpuTypeId_t *type) {
  VGPU_CALL(call, nvmlVgpuInstanceGetType, id, type);
  *type = (unsigned)vgpu->mebibytes * TYPE_STEP + id;
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlVgpuInstanceGetFbUsage(nvmlVgpuInstance_t id, unsigned long long *bytes) {
  VGPU_CALL(call, nvmlVgpuInstanceGetFbUsage, id, bytes);
  *bytes = vgpu->mebibytes * 1048576 / 100 * vgpu->utilization;
  return NVML_SUCCESS;
}

/* Without the guest's driver there is no answer. */
API nvmlReturn_t nvmlVgpuInstanceGetLicenseInfo_v2(nvmlVgpuInstance_t id, nvmlVgpuLicenseInfo_t *info) {
  VGPU_CALL(call, nvmlVgpuInstanceGetLicenseInfo_v2, id, info);
  if (vgpu->license == DRIVER_MISSING) {
    return NVML_ERROR_DRIVER_NOT_LOADED;
  }
  memset(info, 0, sizeof *info);
  info->isLicensed = vgpu->license == LICENSED;
  info->currentState = vgpu->license;
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlVgpuTypeGetName(nvmlVgpuTypeId_t type, char *name, unsigned int *size) {
  VGPU_CALL(call, nvmlVgpuTypeGetName, type % TYPE_STEP, name);
  return size == NULL ? NVML_ERROR_INVALID_ARGUMENT : answer_text(vgpu->type, name, *size);
}

API nvmlReturn_t nvmlVgpuTypeGetFramebufferSize(nvmlVgpuTypeId_t type, unsigned long long *bytes) {
  VGPU_CALL(call, nvmlVgpuTypeGetFramebufferSize, type % TYPE_STEP, bytes);
  *bytes = vgpu->mebibytes * 1048576;
  return NVML_SUCCESS;
}

/* Licensed features exist in a virtual machine only. */
API nvmlReturn_t nvmlDeviceGetGridLicensableFeatures_v4(nvmlDevice_t device, nvmlGridLicensableFeatures_t *features) {
  DEVICE_CALL(call, nvmlDeviceGetGridLicensableFeatures_v4, device);
  if (features == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  memset(features, 0, sizeof *features);
  features->isGridLicenseSupported = mode_of(&call) == MODE_VGPU;
  if (features->isGridLicenseSupported) {
    features->licensableFeaturesCount = 1;
    features->gridLicensableFeatures[0].featureCode = FEATURE_VGPU;
    features->gridLicensableFeatures[0].featureState = (unsigned)count_of(&call, Q_VGPU_LICENSED);
  }
  return NVML_SUCCESS;
}
