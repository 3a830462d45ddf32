#include "ecc_counts.h"

#define PLACES(kind)                                                                              \
  {                                                                                               \
    Q_ECC_##kind##_L1, Q_ECC_##kind##_L2, Q_ECC_##kind##_DRAM, Q_ECC_##kind##_REGISTER,           \
        Q_ECC_##kind##_TEXTURE, Q_ECC_##kind##_SHARED, Q_ECC_##kind##_CBU, Q_ECC_##kind##_SRAM    \
  }

static const enum quantity counts[2][2][ECC_PLACES] = {
    {PLACES(COR_VOL), PLACES(COR_AGG)},
    {PLACES(UNC_VOL), PLACES(UNC_AGG)},
};

nvmlReturn_t ecc_count(const struct call *call, unsigned type, unsigned counter, unsigned place,
                       unsigned long long *count) {
  if (type > 1 || counter > 1 || place >= ECC_PLACES) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return answer_u64(call, counts[type][counter][place], 1, count);
}

nvmlReturn_t ecc_total(const struct call *call, unsigned type, unsigned counter, unsigned long long *count) {
  unsigned long long dram = 0;
  unsigned long long sram = 0;
  nvmlReturn_t answer = ecc_count(call, type, counter, ECC_DRAM, &dram);
  if (answer == NVML_SUCCESS) {
    ecc_count(call, type, counter, ECC_SRAM, &sram);
    *count = dram + sram;
  }
  return answer;
}
