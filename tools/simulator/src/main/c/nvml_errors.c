#include "nvml_abi.h"

#include <stddef.h>

struct code {
  int number;
  const char *words;
};

static const struct code codes[] = {
    {0, "Success"},
    {1, "Uninitialized"},
    {2, "Invalid Argument"},
    {3, "Not Supported"},
    {4, "Insufficient Permissions"},
    {5, "Already Initialized"},
    {6, "Not Found"},
    {7, "Insufficient Size"},
    {8, "Insufficient External Power"},
    {9, "Driver Not Loaded"},
    {10, "Timeout"},
    {11, "Interrupt Request Issue"},
    {12, "NVML Shared Library Not Found"},
    {13, "Function Not Found"},
    {14, "Corrupted infoROM"},
    {15, "GPU is lost"},
    {16, "GPU requires reset"},
    {17, "GPU access blocked by the operating system"},
    {18, "Driver/library version mismatch"},
    {19, "In use by another client"},
    {20, "Insufficient Memory"},
    {21, "No data"},
    {22, "The requested vgpu operation is not available on target device, because ECC is enabled"},
    {23, "Insufficient Resources"},
    {24, "The requested frequency is not available"},
    {25, "Argument Version Mismatch"},
    {26, "Deprecated"},
    {27, "Not Ready"},
    {28, "GPU Not Found"},
    {29, "Invalid State"},
    {999, "Unknown Error"},
};

API const char *nvmlErrorString(nvmlReturn_t result);

API const char *nvmlErrorString(nvmlReturn_t result) {
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
    if (codes[i].number == (int)result) {
      return codes[i].words;
    }
  }
  return "Unknown Error";
}
