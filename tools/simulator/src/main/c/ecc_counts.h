/* Which quantity counts an ECC error, by type (corrected, uncorrected), counter (volatile, aggregate) and place. */
#ifndef LAPWING_ECC_COUNTS_H
#define LAPWING_ECC_COUNTS_H

#include "call.h"

enum { ECC_CORRECTED = 0, ECC_UNCORRECTED = 1, ECC_VOLATILE = 0, ECC_AGGREGATE = 1 };

/* The numbers of NVML's memory locations. */
enum { ECC_L1, ECC_L2, ECC_DRAM, ECC_REGISTER, ECC_TEXTURE, ECC_SHARED, ECC_CBU, ECC_SRAM, ECC_PLACES };

nvmlReturn_t ecc_count(const struct call *call, unsigned type, unsigned counter, unsigned place,
                       unsigned long long *count);

/* DRAM and SRAM together; this is what Hopper's totals are. */
nvmlReturn_t ecc_total(const struct call *call, unsigned type, unsigned counter, unsigned long long *count);

#endif
