/* NVLinks, one at a time; the field values of fields.c have them in bulk. */
#include "nvlink.h"

#include <stdio.h>

/* Without NVLinks NOT_SUPPORTED; for a link beyond the last INVALID_ARGUMENT. */
static nvmlReturn_t known_link(const struct call *call, unsigned int link) {
  if (nvlink_count(call) == 0) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  return link < nvlink_count(call) ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

API nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, unsigned int *active) {
  DEVICE_CALL(call, nvmlDeviceGetNvLinkState, device);
  nvmlReturn_t answer = known_link(&call, link);
  if (answer == NVML_SUCCESS && active == NULL) {
    answer = NVML_ERROR_INVALID_ARGUMENT;
  }
  if (answer == NVML_SUCCESS) {
    *active = nvlink_active(&call, link);
  }
  return answer;
}

API nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned int link, unsigned int *version) {
  DEVICE_CALL(call, nvmlDeviceGetNvLinkVersion, device);
  nvmlReturn_t answer = known_link(&call, link);
  return answer != NVML_SUCCESS ? answer : answer_u32(&call, Q_NVLINK_VERSION, 1, version);
}

API nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned int link, unsigned int counter,
                                                 unsigned long long *value) {
  static const enum quantity counters[] = {Q_NVLINK_REPLAY, Q_NVLINK_RECOVERY, Q_NVLINK_CRC_FLIT, Q_NVLINK_CRC_DATA,
                                           Q_NVLINK_ECC};
  DEVICE_CALL(call, nvmlDeviceGetNvLinkErrorCounter, device);
  nvmlReturn_t answer = known_link(&call, link);
  if (answer != NVML_SUCCESS) {
    return answer;
  }
  if (counter > 4 || value == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (nvlink_version(&call) > 4) {
    return NVML_ERROR_NOT_SUPPORTED; /* the fifth generation counts otherwise: field values 201 and up */
  }
  *value = nvlink_errors(&call, counters[counter], link);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link, unsigned int *type) {
  enum { SWITCH = 2, UNKNOWN = 255 };
  DEVICE_CALL(call, nvmlDeviceGetNvLinkRemoteDeviceType, device);
  nvmlReturn_t answer = known_link(&call, link);
  if (answer == NVML_SUCCESS && type == NULL) {
    answer = NVML_ERROR_INVALID_ARGUMENT;
  }
  if (answer == NVML_SUCCESS) {
    *type = nvlink_active(&call, link) ? SWITCH : UNKNOWN;
  }
  return answer;
}

/* The links go to four switches in turn, which come after the GPUs on the bus. */
static nvmlReturn_t remote_pci_info(nvmlDevice_t device, enum function function, unsigned int link,
                                    nvmlPciInfo_t *pci) {
  enum { FIRST_SWITCH_BUS = 0xd0, SWITCHES = 4 };
  BEGIN(call, begin_device_call(&call, function, device));
  nvmlReturn_t answer = known_link(&call, link);
  if (answer != NVML_SUCCESS) {
    return answer;
  }
  if (pci == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *pci = (nvmlPciInfo_t){.bus = FIRST_SWITCH_BUS + link % SWITCHES};
  snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "0000:%02X:00.0", pci->bus & 0xff);
  snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", pci->bus & 0xff);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t device, unsigned int link, nvmlPciInfo_t *pci) {
  return remote_pci_info(device, FUNCTION_nvmlDeviceGetNvLinkRemotePciInfo, link, pci);
}

API nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link, nvmlPciInfo_t *pci) {
  return remote_pci_info(device, FUNCTION_nvmlDeviceGetNvLinkRemotePciInfo_v2, link, pci);
}
