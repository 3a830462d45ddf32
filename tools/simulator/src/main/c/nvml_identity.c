/* Identity of a GPU: values that do not change while the driver is loaded. */
#include "call.h"
#include "mig.h"

#include <stdio.h>
#include <string.h>

#define TEXT_CALL(function, symbol)                                                              \
  API nvmlReturn_t function(nvmlDevice_t device, char *buffer, unsigned int length) {            \
    DEVICE_CALL(call, function, device);                                                         \
    return answer_text(call.gpu->text[symbol], buffer, length);                                  \
  }

#define NUMBER_CALL(function, symbol)                                                            \
  API nvmlReturn_t function(nvmlDevice_t device, unsigned int *number) {                         \
    DEVICE_CALL(call, function, device);                                                         \
    return answer_u32(&call, symbol, 1, number);                                                 \
  }

API nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *buffer, unsigned int length) {
  ANY_DEVICE_CALL(call, nvmlDeviceGetName, device);
  char name[2 * TEXT_SIZE];
  bool whole = call.instance == NULL;
  snprintf(name, sizeof name, "%s%s%s", call.gpu->text[T_NAME], whole ? "" : " MIG ",
           whole ? "" : call.instance->profile->name);
  return answer_text(name, buffer, length);
}

/* A MIG device's UUID follows from its GPU's and from its place, as with the driver. */
API nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *buffer, unsigned int length) {
  ANY_DEVICE_CALL(call, nvmlDeviceGetUUID, device);
  const char *gpu = call.gpu->text[T_UUID];
  if (call.instance == NULL) {
    return answer_text(gpu, buffer, length);
  }
  char uuid[2 * TEXT_SIZE];
  bool regular = strlen(gpu) == strlen("GPU-00000000-0000-4000-8000-000000000000");
  snprintf(uuid, sizeof uuid, regular ? "MIG-%.14s5%02x0%s" : "MIG-%s-%02x%s", regular ? gpu + 4 : gpu,
           call.instance->id, regular ? gpu + 22 : "");
  return answer_text(uuid, buffer, length);
}

TEXT_CALL(nvmlDeviceGetSerial, T_SERIAL)
TEXT_CALL(nvmlDeviceGetVbiosVersion, T_VBIOS)
TEXT_CALL(nvmlDeviceGetInforomImageVersion, T_INFOROM_IMAGE)
TEXT_CALL(nvmlDeviceGetBoardPartNumber, T_BOARD_PART)

NUMBER_CALL(nvmlDeviceGetMinorNumber, Q_INDEX_MINOR)
NUMBER_CALL(nvmlDeviceGetModuleId, Q_MODULE_ID)
NUMBER_CALL(nvmlDeviceGetArchitecture, Q_ARCHITECTURE)
NUMBER_CALL(nvmlDeviceGetBrand, Q_BRAND)
NUMBER_CALL(nvmlDeviceGetPersistenceMode, Q_PERSISTENCE)
NUMBER_CALL(nvmlDeviceGetInforomConfigurationChecksum, Q_INFOROM_CHECKSUM)

API nvmlReturn_t nvmlDeviceGetInforomVersion(nvmlDevice_t device, unsigned int object, char *buffer,
                                             unsigned int length) {
  static const enum text objects[] = {T_INFOROM_OEM, T_INFOROM_ECC, T_INFOROM_POWER};
  DEVICE_CALL(call, nvmlDeviceGetInforomVersion, device);
  return object > 2 ? NVML_ERROR_INVALID_ARGUMENT : answer_text(call.gpu->text[objects[object]], buffer, length);
}

API nvmlReturn_t nvmlDeviceValidateInforom(nvmlDevice_t device) {
  DEVICE_CALL(call, nvmlDeviceValidateInforom, device);
  unsigned int valid = 0;
  nvmlReturn_t answer = answer_u32(&call, Q_INFOROM_VALID, 1, &valid);
  return answer != NVML_SUCCESS ? answer : valid == 0 ? NVML_ERROR_CORRUPTED_INFOROM : NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor) {
  DEVICE_CALL(call, nvmlDeviceGetCudaComputeCapability, device);
  nvmlReturn_t answer = answer_i32(&call, Q_COMPUTE_MAJOR, major);
  return answer != NVML_SUCCESS ? answer : answer_i32(&call, Q_COMPUTE_MINOR, minor);
}

static nvmlReturn_t pci_info(nvmlDevice_t device, enum function function, nvmlPciInfo_t *pci) {
  BEGIN(call, begin_device_call(&call, function, device));
  if (pci == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  const struct gpu *gpu = call.gpu;
  *pci = (nvmlPciInfo_t){
      .domain = gpu->pci_domain,
      .bus = gpu->pci_bus,
      .device = gpu->pci_device,
      .pciDeviceId = (unsigned int)count_of(&call, Q_PCI_DEVICE_ID),
      .pciSubSystemId = (unsigned int)count_of(&call, Q_PCI_SUBSYSTEM_ID),
  };
  snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", gpu->pci_domain & 0xffff,
           gpu->pci_bus & 0xff, gpu->pci_device & 0xff);
  snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", gpu->pci_domain, gpu->pci_bus & 0xff,
           gpu->pci_device & 0xff);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return pci_info(device, FUNCTION_nvmlDeviceGetPciInfo, pci);
}

API nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return pci_info(device, FUNCTION_nvmlDeviceGetPciInfo_v2, pci);
}

API nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci) {
  return pci_info(device, FUNCTION_nvmlDeviceGetPciInfo_v3, pci);
}

#if NVML_VINTAGE >= 575
/* Chassis, slot and tray are for racks; others report only the module's place on its board, if at all. */
API nvmlReturn_t nvmlDeviceGetPlatformInfo(nvmlDevice_t device, nvmlPlatformInfo_v2_t *info) {
  DEVICE_CALL(call, nvmlDeviceGetPlatformInfo, device);
  if (info == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (info->version != nvmlPlatformInfo_v2) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  bool module = !call.gpu->quantity[Q_MODULE_ID].unsupported;
  bool rack = !call.gpu->quantity[Q_PLATFORM_SLOT].unsupported;
  if (!module && !rack) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  *info = (nvmlPlatformInfo_v2_t){
      .version = nvmlPlatformInfo_v2,
      .slotNumber = rack ? (unsigned char)count_of(&call, Q_PLATFORM_SLOT) : 0,
      .trayIndex = rack ? (unsigned char)count_of(&call, Q_PLATFORM_TRAY) : 0,
      .hostId = 1,
      .moduleId = module ? (unsigned char)count_of(&call, Q_MODULE_ID) : 0,
  };
  const char *chassis = call.gpu->text[T_PLATFORM_CHASSIS];
  memcpy(info->chassisSerialNumber, chassis, strnlen(chassis, sizeof info->chassisSerialNumber));
  return NVML_SUCCESS;
}
#endif

/* GPUs of one node reach each other when both have NVLinks, or share a PCIe switch, as these do. */
API nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t one, nvmlDevice_t other, unsigned int capability, int *status) {
  {
    DEVICE_CALL(call, nvmlDeviceGetP2PStatus, other);
  }
  DEVICE_CALL(call, nvmlDeviceGetP2PStatus, one);
  if (status == NULL || capability > 4) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *status = 0;
  return NVML_SUCCESS;
}
