/* The enumerated GPUs and their handles. */
#ifndef LAPWING_DEVICES_H
#define LAPWING_DEVICES_H

#include "nvml_abi.h"
#include "state.h"

/* Takes the GPUs that are there now, in bus order without the missing ones; what nvmlInit does. */
void enumerate(const struct state *state);

/* Implements nvmlShutdown; false without a matching nvmlInit. */
bool forget_devices(void);

/* Whether nvmlInit was called, and by a driver that has not been reloaded since. */
bool initialised(const struct state *state);

int device_count(void);

/* A slot is a place in the chassis; an index is a place in the enumeration, without gaps for missing GPUs. */
int slot_at(int index);
int index_of(int slot);

nvmlDevice_t handle_of(int slot);

/* The slot, or -1 for an invalid handle and for that of a MIG device. */
int slot_of(nvmlDevice_t device);

/* The MIG device of a GPU instance, whether it exists or not. */
nvmlDevice_t mig_handle_of(int slot, unsigned instance);
bool is_mig_device(nvmlDevice_t device, int *slot, unsigned *instance);

#endif
