/* From an index, a UUID, a serial number or a PCI address to a handle. */
#include "call.h"
#include "devices.h"

#include <stdio.h>
#include <string.h>

/* Faults of a lookup are per device, so that one GPU's handle can be refused or block. */
static nvmlReturn_t handle_at(int slot, enum function function, nvmlDevice_t *device) {
  if (device == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  BEGIN(call, begin_device_call(&call, function, handle_of(slot)));
  *device = handle_of(slot);
  return NVML_SUCCESS;
}

static nvmlReturn_t count_devices(enum function function, unsigned int *count) {
  BEGIN(call, begin_system_call(&call, function));
  if (count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *count = (unsigned int)device_count();
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetCount(unsigned int *count) { return count_devices(FUNCTION_nvmlDeviceGetCount, count); }

API nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
  return count_devices(FUNCTION_nvmlDeviceGetCount_v2, count);
}

static nvmlReturn_t handle_by_index(enum function function, unsigned int index, nvmlDevice_t *device) {
  int slot;
  {
    BEGIN(call, begin_system_call(&call, function));
    slot = slot_at((int)(index & 0x7fffffff));
  }
  return slot < 0 ? NVML_ERROR_INVALID_ARGUMENT : handle_at(slot, function, device);
}

API nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device) {
  return handle_by_index(FUNCTION_nvmlDeviceGetHandleByIndex, index, device);
}

API nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
  return handle_by_index(FUNCTION_nvmlDeviceGetHandleByIndex_v2, index, device);
}

typedef bool matches(const struct gpu *gpu, const void *wanted);

static nvmlReturn_t handle_where(enum function function, matches *match, const void *wanted, nvmlDevice_t *device) {
  int found = -1;
  {
    BEGIN(call, begin_system_call(&call, function));
    for (int index = 0; index < device_count(); index++) {
      int slot = slot_at(index);
      if (slot >= 0 && match(&call.state->gpu[slot], wanted)) {
        found = slot;
      }
    }
  }
  return found < 0 ? NVML_ERROR_NOT_FOUND : handle_at(found, function, device);
}

static bool has_uuid(const struct gpu *gpu, const void *wanted) { return strcmp(gpu->text[T_UUID], wanted) == 0; }

API nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  if (uuid == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return handle_where(FUNCTION_nvmlDeviceGetHandleByUUID, has_uuid, uuid, device);
}

static bool has_serial(const struct gpu *gpu, const void *wanted) { return strcmp(gpu->text[T_SERIAL], wanted) == 0; }

API nvmlReturn_t nvmlDeviceGetHandleBySerial(const char *serial, nvmlDevice_t *device) {
  if (serial == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return handle_where(FUNCTION_nvmlDeviceGetHandleBySerial, has_serial, serial, device);
}

struct address {
  unsigned domain;
  unsigned bus;
  unsigned device;
};

static bool has_address(const struct gpu *gpu, const void *wanted) {
  const struct address *address = wanted;
  return gpu->pci_domain == address->domain && gpu->pci_bus == address->bus && gpu->pci_device == address->device;
}

/* With or without the domain: "00000000:53:00.0", "0000:53:00.0" and "53:00.0" are one place. */
static nvmlReturn_t handle_by_bus_id(enum function function, const char *text, nvmlDevice_t *device) {
  struct address address = {0};
  unsigned ignored;
  if (text == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (sscanf(text, "%x:%x:%x.%x", &address.domain, &address.bus, &address.device, &ignored) < 3) {
    address.domain = 0;
    if (sscanf(text, "%x:%x.%x", &address.bus, &address.device, &ignored) < 2) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
  }
  return handle_where(function, has_address, &address, device);
}

API nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *text, nvmlDevice_t *device) {
  return handle_by_bus_id(FUNCTION_nvmlDeviceGetHandleByPciBusId, text, device);
}

API nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *text, nvmlDevice_t *device) {
  return handle_by_bus_id(FUNCTION_nvmlDeviceGetHandleByPciBusId_v2, text, device);
}

API nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index) {
  DEVICE_CALL(call, nvmlDeviceGetIndex, device);
  if (index == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *index = (unsigned int)index_of(call.slot);
  return NVML_SUCCESS;
}
