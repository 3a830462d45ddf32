/* ECC modes and error counts. */
#include "ecc_counts.h"

API nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, unsigned int *current, unsigned int *pending) {
  DEVICE_CALL(call, nvmlDeviceGetEccMode, device);
  nvmlReturn_t answer = answer_u32(&call, Q_ECC_MODE, 1, current);
  return answer != NVML_SUCCESS ? answer : answer_u32(&call, Q_ECC_MODE_PENDING, 1, pending);
}

API nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, unsigned int type, unsigned int counter,
                                             unsigned long long *count) {
  DEVICE_CALL(call, nvmlDeviceGetTotalEccErrors, device);
  return count == NULL ? NVML_ERROR_INVALID_ARGUMENT : ecc_total(&call, type, counter, count);
}

API nvmlReturn_t nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, unsigned int type, unsigned int counter,
                                                nvmlEccErrorCounts_t *counts) {
  DEVICE_CALL(call, nvmlDeviceGetDetailedEccErrors, device);
  if (counts == NULL || type > 1 || counter > 1) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *counts = (nvmlEccErrorCounts_t){0};
  ecc_count(&call, type, counter, ECC_L1, &counts->l1Cache);
  ecc_count(&call, type, counter, ECC_L2, &counts->l2Cache);
  ecc_count(&call, type, counter, ECC_REGISTER, &counts->registerFile);
  return ecc_count(&call, type, counter, ECC_DRAM, &counts->deviceMemory);
}

API nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, unsigned int type, unsigned int counter,
                                                 unsigned int place, unsigned long long *count) {
  DEVICE_CALL(call, nvmlDeviceGetMemoryErrorCounter, device);
  return ecc_count(&call, type, counter, place, count);
}

#if NVML_VINTAGE >= 535
API nvmlReturn_t nvmlDeviceGetSramEccErrorStatus(nvmlDevice_t device, nvmlEccSramErrorStatus_v1_t *status) {
  DEVICE_CALL(call, nvmlDeviceGetSramEccErrorStatus, device);
  if (status == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (status->version != nvmlEccSramErrorStatus_v1) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  if (call.gpu->quantity[Q_SRAM_THRESHOLD].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  *status = (nvmlEccSramErrorStatus_v1_t){
      .version = nvmlEccSramErrorStatus_v1,
      .aggregateUncParity = count_of(&call, Q_SRAM_AGG_PARITY),
      .aggregateUncSecDed = count_of(&call, Q_SRAM_AGG_SECDED),
      .aggregateCor = count_of(&call, Q_SRAM_AGG_CORRECTED),
      .volatileUncParity = count_of(&call, Q_SRAM_VOL_PARITY),
      .volatileUncSecDed = count_of(&call, Q_SRAM_VOL_SECDED),
      .volatileCor = count_of(&call, Q_SRAM_VOL_CORRECTED),
      .aggregateUncBucketL2 = count_of(&call, Q_SRAM_BUCKET_L2),
      .aggregateUncBucketSm = count_of(&call, Q_SRAM_BUCKET_SM),
      .aggregateUncBucketPcie = count_of(&call, Q_SRAM_BUCKET_PCIE),
      .aggregateUncBucketMcu = count_of(&call, Q_SRAM_BUCKET_MCU),
      .aggregateUncBucketOther = count_of(&call, Q_SRAM_BUCKET_OTHER),
      .bThresholdExceeded = (unsigned int)count_of(&call, Q_SRAM_THRESHOLD),
  };
  return NVML_SUCCESS;
}
#endif
