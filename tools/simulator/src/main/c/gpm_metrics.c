#include "gpm_metrics.h"

#include "nvml_abi.h"

#include <stdbool.h>
#include <stddef.h>

struct range {
  unsigned first;
  unsigned last;
  enum gpm_kind kind;
  enum quantity quantity;
};

/* NVLink ids alternate, received first; the quantity of their rows is not used. */
static const struct range ranges[] = {
    {1, 1, GPM_PERCENT, Q_GPM_GRAPHICS},
    {2, 2, GPM_PERCENT, Q_GPM_SM_ACTIVE},
    {3, 3, GPM_PERCENT, Q_GPM_SM_OCCUPANCY},
    {4, 4, GPM_PERCENT, Q_GPM_INTEGER},
    {5, 5, GPM_PERCENT, Q_GPM_TENSOR},
    {6, 6, GPM_PERCENT, Q_GPM_DFMA},
    {7, 7, GPM_PERCENT, Q_GPM_HMMA},
    {8, 8, GPM_PERCENT, Q_GPM_DMMA},
    {9, 9, GPM_PERCENT, Q_GPM_IMMA},
    {10, 10, GPM_PERCENT, Q_GPM_DRAM},
    {11, 11, GPM_PERCENT, Q_GPM_FP64},
    {12, 12, GPM_PERCENT, Q_GPM_FP32},
    {13, 13, GPM_PERCENT, Q_GPM_FP16},
    {20, 20, GPM_RATE, Q_PCIE_TX},
    {21, 21, GPM_RATE, Q_PCIE_RX},
    {30, 37, GPM_PERCENT, Q_GPM_NVDEC},
    {40, 47, GPM_PERCENT, Q_GPM_NVJPG},
    {50, 51, GPM_PERCENT, Q_GPM_NVOFA},
    {60, 60, GPM_RATE, Q_NVLINK_RX},
    {61, 61, GPM_RATE, Q_NVLINK_TX},
    {62, 97, GPM_LINK_RATE, Q_NVLINK_RX},
    {100, 100, GPM_C2C_RATE, Q_C2C_TX},
    {101, 101, GPM_C2C_RATE, Q_C2C_RX},
    {166, 169, GPM_PERCENT, Q_GPM_NVENC},
    {248, 248, GPM_CYCLES, Q_CLOCK_SM},
    {249, 249, GPM_BUSY_CYCLES, Q_GPM_SM_ACTIVE},
    {250, 250, GPM_BUSY_CYCLES, Q_GPM_TENSOR},
    {251, 251, GPM_BUSY_CYCLES, Q_GPM_DMMA},
    {252, 252, GPM_BUSY_CYCLES, Q_GPM_HMMA},
    {253, 253, GPM_BUSY_CYCLES, Q_GPM_IMMA},
    {254, 254, GPM_BUSY_CYCLES, Q_GPM_DFMA},
    {255, 255, GPM_BYTES, Q_PCIE_TX},
    {256, 256, GPM_BYTES, Q_PCIE_RX},
    {257, 257, GPM_BUSY_CYCLES, Q_GPM_INTEGER},
    {258, 258, GPM_BUSY_CYCLES, Q_GPM_FP64},
    {259, 259, GPM_BUSY_CYCLES, Q_GPM_FP32},
    {260, 260, GPM_BUSY_CYCLES, Q_GPM_FP16},
    {261, 296, GPM_LINK_BYTES, Q_NVLINK_RX},
};

struct gpm_metric gpm_metric(unsigned id) {
  if (id == 0 || id >= NVML_GPM_METRIC_MAX) {
    return (struct gpm_metric){.kind = GPM_UNKNOWN};
  }
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    const struct range *range = &ranges[i];
    if (id >= range->first && id <= range->last) {
      unsigned place = id - range->first;
      bool of_link = range->kind == GPM_LINK_RATE || range->kind == GPM_LINK_BYTES;
      enum quantity sent_or_received = place % 2 == 0 ? Q_NVLINK_RX : Q_NVLINK_TX;
      return (struct gpm_metric){range->kind, of_link ? sent_or_received : range->quantity, of_link ? place / 2 : 0};
    }
  }
  return (struct gpm_metric){.kind = GPM_ABSENT};
}
