/* The PCIe link of one GPU. */
#include "call.h"

#include <time.h>

#define PCIE_CALL(function, symbol)                                           \
  API nvmlReturn_t function(nvmlDevice_t device, unsigned int *value) {       \
    DEVICE_CALL(call, function, device);                                      \
    return answer_u32(&call, symbol, 1, value);                               \
  }

PCIE_CALL(nvmlDeviceGetPcieReplayCounter, Q_PCIE_REPLAY)
PCIE_CALL(nvmlDeviceGetCurrPcieLinkGeneration, Q_PCIE_GENERATION)
PCIE_CALL(nvmlDeviceGetCurrPcieLinkWidth, Q_PCIE_WIDTH)
PCIE_CALL(nvmlDeviceGetMaxPcieLinkGeneration, Q_PCIE_GENERATION_MAX)
PCIE_CALL(nvmlDeviceGetMaxPcieLinkWidth, Q_PCIE_WIDTH_MAX)
PCIE_CALL(nvmlDeviceGetPcieSpeed, Q_PCIE_SPEED)

/* The real call samples the counters for 20 ms, so an agent should not use it. */
API nvmlReturn_t nvmlDeviceGetPcieThroughput(nvmlDevice_t device, unsigned int direction, unsigned int *kibibytes) {
  static const struct timespec window = {.tv_nsec = 20 * 1000 * 1000};
  DEVICE_CALL(call, nvmlDeviceGetPcieThroughput, device);
  if (direction > 1) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  nanosleep(&window, NULL);
  return answer_u32(&call, direction == 0 ? Q_PCIE_TX : Q_PCIE_RX, 1024, kibibytes);
}
