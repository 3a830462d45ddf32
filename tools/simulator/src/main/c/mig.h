/* GPU instances of MIG: the profiles of the models, and the instances that the state has. A name has one meaning in all of them. */
#ifndef LAPWING_MIG_H
#define LAPWING_MIG_H

#include "call.h"

struct mig_profile {
  const char *name;
  unsigned id;     /* profileId of nvmlGpuInstanceInfo_t */
  unsigned slices; /* of compute; the GPU has as many as mig.devices.max */
  unsigned size;   /* of its placement, in slices of memory */
  unsigned multiprocessors;
  unsigned long long mebibytes;
};

/* Finds a profile by its name, such as "1g.10gb"; NULL without one. */
const struct mig_profile *mig_profile_named(const char *name);

bool mig_enabled(const struct gpu *gpu, double seconds);

/* The GPU instance with that id; NULL if there is none now. */
const struct mig_instance *mig_instance(const struct gpu *gpu, unsigned id, double seconds);

/* The activity of the GPU's instances, each by its share of the slices; 1 without MIG. */
double mig_activity(const struct gpu *gpu, double seconds);

#endif
