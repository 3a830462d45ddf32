#include "devices.h"

#include <pthread.h>
#include <stdint.h>

struct nvmlDevice_st {
  int slot;
};

static struct nvmlDevice_st device[GPUS_MAX];
static struct nvmlDevice_st mig_device[GPUS_MAX * INSTANCE_IDS];

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int order[GPUS_MAX];
static int count;
static int inits;
static unsigned generation;

void enumerate(const struct state *state) {
  pthread_rwlock_wrlock(&lock);
  if (inits++ == 0) {
    count = 0;
    generation = state->generation;
    for (int slot = 0; slot < state->gpus; slot++) {
      if (!state->gpu[slot].missing) {
        order[count++] = slot;
      }
    }
  }
  pthread_rwlock_unlock(&lock);
}

bool forget_devices(void) {
  pthread_rwlock_wrlock(&lock);
  bool known = inits > 0;
  inits -= known;
  pthread_rwlock_unlock(&lock);
  return known;
}

bool initialised(const struct state *state) {
  pthread_rwlock_rdlock(&lock);
  bool answer = inits > 0 && generation == state->generation;
  pthread_rwlock_unlock(&lock);
  return answer;
}

int device_count(void) {
  pthread_rwlock_rdlock(&lock);
  int answer = count;
  pthread_rwlock_unlock(&lock);
  return answer;
}

int slot_at(int index) {
  pthread_rwlock_rdlock(&lock);
  int slot = index >= 0 && index < count ? order[index] : -1;
  pthread_rwlock_unlock(&lock);
  return slot;
}

int index_of(int slot) {
  int index = -1;
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < count; i++) {
    if (order[i] == slot) {
      index = i;
    }
  }
  pthread_rwlock_unlock(&lock);
  return index;
}

nvmlDevice_t handle_of(int slot) { return &device[slot]; }

/* The handle's place in an array of count, or -1. */
static int place_in(const struct nvmlDevice_st *first, int count, nvmlDevice_t handle) {
  uintptr_t start = (uintptr_t)first;
  uintptr_t address = (uintptr_t)handle;
  if (address < start || address >= start + (uintptr_t)count * sizeof *first || (address - start) % sizeof *first != 0) {
    return -1;
  }
  return (int)((address - start) / sizeof *first);
}

int slot_of(nvmlDevice_t handle) { return place_in(device, GPUS_MAX, handle); }

nvmlDevice_t mig_handle_of(int slot, unsigned instance) {
  return &mig_device[slot * INSTANCE_IDS + (int)(instance % INSTANCE_IDS)];
}

bool is_mig_device(nvmlDevice_t handle, int *slot, unsigned *instance) {
  int place = place_in(mig_device, GPUS_MAX * INSTANCE_IDS, handle);
  if (place < 0) {
    return false;
  }
  *slot = place / INSTANCE_IDS;
  *instance = (unsigned)place % INSTANCE_IDS;
  return true;
}
