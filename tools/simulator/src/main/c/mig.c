#include "mig.h"

#include <string.h>

/* As nvidia-smi mig -lgip prints them: of an H100 with 80 GB, and of an A100 with 40 GB. */
static const struct mig_profile profiles[] = {
    {"1g.10gb", 19, 1, 1, 16, 9856},     {"1g.10gb+me", 20, 1, 1, 16, 9856}, {"1g.20gb", 15, 1, 2, 26, 19968},
    {"2g.20gb", 14, 2, 2, 32, 19968},    {"3g.40gb", 9, 3, 4, 60, 40448},    {"4g.40gb", 5, 4, 4, 64, 40448},
    {"7g.80gb", 0, 7, 8, 132, 80896},
    {"1g.5gb", 19, 1, 1, 14, 4864},      {"2g.10gb", 14, 2, 2, 28, 9984},    {"3g.20gb", 9, 3, 4, 42, 20096},
    {"4g.20gb", 5, 4, 4, 56, 20096},     {"7g.40gb", 0, 7, 8, 98, 40448},
};

const struct mig_profile *mig_profile_named(const char *name) {
  for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
    if (strcmp(profiles[i].name, name) == 0) {
      return &profiles[i];
    }
  }
  return NULL;
}

bool mig_enabled(const struct gpu *gpu, double seconds) {
  return !gpu->quantity[Q_MIG_MODE].unsupported && gpu_value(gpu, Q_MIG_MODE, seconds) == 1;
}

const struct mig_instance *mig_instance(const struct gpu *gpu, unsigned id, double seconds) {
  for (int i = 0; i < gpu->instances && mig_enabled(gpu, seconds); i++) {
    if (gpu->instance[i].id == id) {
      return &gpu->instance[i];
    }
  }
  return NULL;
}

double mig_activity(const struct gpu *gpu, double seconds) {
  if (!mig_enabled(gpu, seconds)) {
    return 1;
  }
  double active = 0;
  for (int i = 0; i < gpu->instances; i++) {
    active += gpu->instance[i].activity * gpu->instance[i].profile->slices;
  }
  return active / gpu_value(gpu, Q_MIG_DEVICES_MAX, seconds);
}
