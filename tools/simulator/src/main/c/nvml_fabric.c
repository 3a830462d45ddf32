/* Whether the GPU has joined the NVLink fabric. */
#include "call.h"

#include <stdio.h>

/* The cluster's UUID, from text as people write it to 16 bytes. */
static void cluster_uuid(const struct call *call, unsigned char bytes[16]) {
  const char *at = call->gpu->text[T_FABRIC_UUID];
  for (int i = 0; i < 16; i++) {
    unsigned byte = 0;
    at += *at == '-';
    if (sscanf(at, "%2x", &byte) == 1 && at[1] != '\0') {
      at += 2;
    }
    bytes[i] = (unsigned char)byte;
  }
}

API nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *info) {
  DEVICE_CALL(call, nvmlDeviceGetGpuFabricInfo, device);
  if (info == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (call.gpu->quantity[Q_FABRIC_STATE].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  cluster_uuid(&call, info->clusterUuid);
  info->status = (nvmlReturn_t)count_of(&call, Q_FABRIC_STATUS);
  info->cliqueId = (unsigned int)count_of(&call, Q_FABRIC_CLIQUE);
  info->state = (unsigned char)count_of(&call, Q_FABRIC_STATE);
  return NVML_SUCCESS;
}

#if NVML_VINTAGE >= 550
static void fabric_v2(const struct call *call, nvmlGpuFabricInfo_v2_t *info) {
  cluster_uuid(call, info->clusterUuid);
  info->status = (nvmlReturn_t)count_of(call, Q_FABRIC_STATUS);
  info->cliqueId = (unsigned int)count_of(call, Q_FABRIC_CLIQUE);
  info->state = (unsigned char)count_of(call, Q_FABRIC_STATE);
  info->healthMask = (unsigned int)count_of(call, Q_FABRIC_HEALTH);
}

/*
 * Takes version 2 and, from the 13.0 interface on, version 3, which only adds a summary at the end. A state in which the
 * summary, or the health mask too, is unsupported is of a driver without that version.
 */
API nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfo_v2_t *info) {
  DEVICE_CALL(call, nvmlDeviceGetGpuFabricInfoV, device);
  if (info == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  bool third = NVML_VINTAGE >= 580 && info->version == nvmlGpuFabricInfo_v3 &&
               !call.gpu->quantity[Q_FABRIC_SUMMARY].unsupported;
  bool second = info->version == nvmlGpuFabricInfo_v2 && !call.gpu->quantity[Q_FABRIC_HEALTH].unsupported;
  if (!third && !second) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  if (call.gpu->quantity[Q_FABRIC_STATE].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  fabric_v2(&call, info);
  if (third) {
    ((nvmlGpuFabricInfo_v3_t *)info)->healthSummary = (unsigned char)count_of(&call, Q_FABRIC_SUMMARY);
  }
  return NVML_SUCCESS;
}
#endif
