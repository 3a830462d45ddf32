/* Counters that are the running total of a rate, as the single calls and the field values both answer them. */
#ifndef LAPWING_COUNTERS_H
#define LAPWING_COUNTERS_H

#include "call.h"

nvmlReturn_t energy_millijoules(const struct call *call, unsigned long long *millijoules);

/* Bits of the reasons why clocks are below their maximum. */
nvmlReturn_t clock_reasons(const struct call *call, unsigned long long *reasons);

/* PCIe bytes since the epoch; start over at pcie.bytes.wrap. */
nvmlReturn_t pcie_bytes(const struct call *call, enum quantity rate, unsigned long long *bytes);

/* NVLink bytes since the epoch over all links; one link has its even share. */
nvmlReturn_t nvlink_bytes(const struct call *call, enum quantity rate, double *bytes);

#endif
