#include "mig.h"

#include <string.h>

/*
 * As nvidia-smi mig -lgip prints them. Seen in outputs of it: an H100 with 80 GB, an A100 with 40 GB, an H200 with 141 GB (all rows), a B200 and
 * a GB200 (the four smallest). Names of the other rows of a B200: NVIDIA's MIG user guide; those of a B300: AWS' list for SageMaker HyperPod.
 * NOT CONFIRMED: memory and multiprocessors of the rows of a B200 from 3g on, all of the values of a B300, and the last three rows of a GB200
 * with their names; they are in proportion to those that are known.
 */
static const struct mig_profile profiles[] = {
    {"1g.10gb", 19, 1, 1, 16, 9856},     {"1g.10gb+me", 20, 1, 1, 16, 9856}, {"1g.20gb", 15, 1, 2, 26, 19968},
    {"2g.20gb", 14, 2, 2, 32, 19968},    {"3g.40gb", 9, 3, 4, 60, 40448},    {"4g.40gb", 5, 4, 4, 64, 40448},
    {"7g.80gb", 0, 7, 8, 132, 80896},
    {"1g.18gb", 19, 1, 1, 16, 16384},    {"1g.18gb+me", 20, 1, 1, 16, 16384}, {"1g.35gb", 15, 1, 2, 26, 33024},
    {"2g.35gb", 14, 2, 2, 32, 33024},    {"3g.71gb", 9, 3, 4, 60, 71168},    {"4g.71gb", 5, 4, 4, 64, 71168},
    {"7g.141gb", 0, 7, 8, 132, 143104},
    {"1g.23gb", 19, 1, 1, 18, 20992},    {"1g.23gb+me", 20, 1, 1, 18, 20992}, {"1g.45gb", 15, 1, 2, 30, 45312},
    {"2g.45gb", 14, 2, 2, 36, 45312},    {"3g.90gb", 9, 3, 4, 70, 91648},    {"4g.90gb", 5, 4, 4, 72, 91648},
    {"7g.180gb", 0, 7, 8, 148, 182528},
    {"1g.24gb", 19, 1, 1, 18, 20480},    {"1g.24gb+me", 20, 1, 1, 18, 20480}, {"1g.47gb", 15, 1, 2, 32, 46592},
    {"2g.47gb", 14, 2, 2, 38, 46592},    {"3g.95gb", 9, 3, 4, 72, 94208},    {"4g.95gb", 5, 4, 4, 76, 94208},
    {"7g.189gb", 0, 7, 8, 152, 188672},
    {"1g.34gb", 19, 1, 1, 18, 33792},    {"1g.34gb+me", 20, 1, 1, 18, 33792}, {"1g.67gb", 15, 1, 2, 30, 68608},
    {"2g.67gb", 14, 2, 2, 36, 68608},    {"3g.135gb", 9, 3, 4, 70, 137216},  {"4g.135gb", 5, 4, 4, 72, 137216},
    {"7g.269gb", 0, 7, 8, 148, 274432},
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
