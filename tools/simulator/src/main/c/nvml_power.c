/* Power, its limits, and energy. The state has watts and joules, NVML milliwatts and millijoules. */
#include "call.h"
#include "counters.h"

static const double MILLI = 1000;

#define POWER_CALL(function, symbol)                                                \
  API nvmlReturn_t function(nvmlDevice_t device, unsigned int *milliwatts) {        \
    DEVICE_CALL(call, function, device);                                            \
    return answer_u32(&call, symbol, MILLI, milliwatts);                            \
  }

POWER_CALL(nvmlDeviceGetPowerUsage, Q_POWER)
POWER_CALL(nvmlDeviceGetEnforcedPowerLimit, Q_POWER_LIMIT)
POWER_CALL(nvmlDeviceGetPowerManagementLimit, Q_POWER_LIMIT_REQUESTED)
POWER_CALL(nvmlDeviceGetPowerManagementDefaultLimit, Q_POWER_LIMIT_DEFAULT)

API nvmlReturn_t nvmlDeviceGetPowerManagementLimitConstraints(nvmlDevice_t device, unsigned int *least,
                                                              unsigned int *most) {
  DEVICE_CALL(call, nvmlDeviceGetPowerManagementLimitConstraints, device);
  nvmlReturn_t answer = answer_u32(&call, Q_POWER_LIMIT_MIN, MILLI, least);
  return answer != NVML_SUCCESS ? answer : answer_u32(&call, Q_POWER_LIMIT_MAX, MILLI, most);
}

API nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long *millijoules) {
  DEVICE_CALL(call, nvmlDeviceGetTotalEnergyConsumption, device);
  if (millijoules == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  return energy_millijoules(&call, millijoules);
}
