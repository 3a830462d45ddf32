#include "counters.h"

#include <math.h>

static const double MEBI = 1048576;

nvmlReturn_t energy_millijoules(const struct call *call, unsigned long long *millijoules) {
  if (call->gpu->quantity[Q_POWER].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  double joules = gpu_value(call->gpu, Q_ENERGY_BEFORE, call->now) + gpu_total(call->gpu, Q_POWER, call->now);
  *millijoules = to_u64(joules * 1000);
  return NVML_SUCCESS;
}

nvmlReturn_t clock_reasons(const struct call *call, unsigned long long *reasons) {
  if (!call->gpu->quantity[Q_CLOCK_REASONS].derived) {
    return answer_u64(call, Q_CLOCK_REASONS, 1, reasons);
  }
  double load = gpu_value(call->gpu, Q_LOAD, call->now);
  double power = gpu_value(call->gpu, Q_POWER, call->now);
  double limit = gpu_value(call->gpu, Q_POWER_LIMIT, call->now);
  *reasons = load < 0.01 ? 0x1 : power > 0.98 * limit ? 0x4 : 0;
  return NVML_SUCCESS;
}

nvmlReturn_t pcie_bytes(const struct call *call, enum quantity rate, unsigned long long *bytes) {
  if (call->gpu->quantity[rate].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  double total = gpu_total(call->gpu, rate, call->now) * MEBI;
  double wrap = gpu_value(call->gpu, Q_PCIE_BYTES_WRAP, call->now);
  *bytes = to_u64(wrap > 0 ? fmod(total, wrap) : total);
  return NVML_SUCCESS;
}

nvmlReturn_t nvlink_bytes(const struct call *call, enum quantity rate, double *bytes) {
  if (call->gpu->quantity[rate].unsupported) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  *bytes = gpu_total(call->gpu, rate, call->now) * MEBI;
  return NVML_SUCCESS;
}
