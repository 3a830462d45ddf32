/* Memory repair: retired pages, remapped rows, pending repairs, what cannot be repaired. */
#include "call.h"

/* Addresses are invented: readers only count them. */
static nvmlReturn_t retired_pages(nvmlDevice_t device, enum function function, unsigned int cause, unsigned int *count,
                                  unsigned long long *addresses, unsigned long long *times) {
  BEGIN(call, begin_device_call(&call, function, device));
  unsigned int pages = 0;
  if (cause > 1 || count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nvmlReturn_t answer = answer_u32(&call, cause == 0 ? Q_RETIRED_SBE : Q_RETIRED_DBE, 1, &pages);
  if (answer != NVML_SUCCESS) {
    return answer;
  }
  unsigned int room = *count;
  *count = pages;
  if (pages > room) {
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  if (pages > 0 && addresses == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  for (unsigned int i = 0; i < pages; i++) {
    addresses[i] = 0x1000ull * (i + 1);
    if (times != NULL) {
      times[i] = to_u64(call.state->epoch);
    }
  }
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetRetiredPages(nvmlDevice_t device, unsigned int cause, unsigned int *count,
                                           unsigned long long *addresses) {
  return retired_pages(device, FUNCTION_nvmlDeviceGetRetiredPages, cause, count, addresses, NULL);
}

API nvmlReturn_t nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, unsigned int cause, unsigned int *count,
                                              unsigned long long *addresses, unsigned long long *times) {
  return retired_pages(device, FUNCTION_nvmlDeviceGetRetiredPages_v2, cause, count, addresses, times);
}

API nvmlReturn_t nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device, unsigned int *pending) {
  DEVICE_CALL(call, nvmlDeviceGetRetiredPagesPendingStatus, device);
  return answer_u32(&call, Q_RETIRED_PENDING, 1, pending);
}

API nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int *correctable, unsigned int *uncorrectable,
                                           unsigned int *pending, unsigned int *failed) {
  DEVICE_CALL(call, nvmlDeviceGetRemappedRows, device);
  if (uncorrectable == NULL || pending == NULL || failed == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *uncorrectable = (unsigned int)count_of(&call, Q_ROWS_UNCORRECTABLE);
  *pending = (unsigned int)count_of(&call, Q_ROWS_PENDING);
  *failed = (unsigned int)count_of(&call, Q_ROWS_FAILURE);
  return answer_u32(&call, Q_ROWS_CORRECTABLE, 1, correctable);
}

API nvmlReturn_t nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device, nvmlRowRemapperHistogramValues_t *values) {
  DEVICE_CALL(call, nvmlDeviceGetRowRemapperHistogram, device);
  if (values == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  values->high = (unsigned int)count_of(&call, Q_HISTOGRAM_HIGH);
  values->partial = (unsigned int)count_of(&call, Q_HISTOGRAM_PARTIAL);
  values->low = (unsigned int)count_of(&call, Q_HISTOGRAM_LOW);
  values->none = (unsigned int)count_of(&call, Q_HISTOGRAM_NONE);
  return answer_u32(&call, Q_HISTOGRAM_MAX, 1, &values->max);
}

#if NVML_VINTAGE >= 575
API nvmlReturn_t nvmlDeviceGetRepairStatus(nvmlDevice_t device, nvmlRepairStatus_v1_t *status) {
  DEVICE_CALL(call, nvmlDeviceGetRepairStatus, device);
  if (status == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (status->version != nvmlRepairStatus_v1) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  status->bTpcRepairPending = (unsigned int)count_of(&call, Q_REPAIR_TPC);
  return answer_u32(&call, Q_REPAIR_CHANNEL, 1, &status->bChannelRepairPending);
}
#endif

#if NVML_VINTAGE >= 590
API nvmlReturn_t nvmlDeviceGetUnrepairableMemoryFlag_v1(nvmlDevice_t device, nvmlUnrepairableMemoryStatus_v1_t *status) {
  DEVICE_CALL(call, nvmlDeviceGetUnrepairableMemoryFlag_v1, device);
  if (status == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return answer_u32(&call, Q_MEMORY_UNREPAIRABLE, 1, &status->bUnrepairableMemory);
}
#endif
