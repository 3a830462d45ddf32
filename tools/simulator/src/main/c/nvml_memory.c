/* Framebuffer and BAR1 memory, in bytes. The first interface counts reserved memory as used, the second apart. */
#include "mig.h"

static unsigned long long less(unsigned long long total, unsigned long long taken) {
  return taken < total ? total - taken : 0;
}

/* What the processes of a MIG instance use. */
static unsigned long long used_of_instance(const struct call *call) {
  unsigned long long mebibytes = 0;
  for (int i = 0; i < call->gpu->processes; i++) {
    bool here = call->gpu->process[i].instance == call->instance->id;
    mebibytes += here ? call->gpu->process[i].mebibytes : 0;
  }
  return mebibytes << 20;
}

/* Its part of what the GPU reserves, by its slices of memory, of which a GPU has 8. */
static unsigned long long reserved_of_instance(const struct call *call) {
  return count_of(call, Q_MEMORY_RESERVED) / 8 * call->instance->profile->size;
}

API nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  ANY_DEVICE_CALL(call, nvmlDeviceGetMemoryInfo, device);
  if (memory == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (call.instance != NULL) {
    memory->total = call.instance->profile->mebibytes << 20;
    memory->used = used_of_instance(&call) + reserved_of_instance(&call);
    memory->free = less(memory->total, memory->used);
    return NVML_SUCCESS;
  }
  unsigned long long used = count_of(&call, Q_MEMORY_USED) + count_of(&call, Q_MEMORY_RESERVED);
  nvmlReturn_t answer = answer_u64(&call, Q_MEMORY_TOTAL, 1, &memory->total);
  memory->used = used;
  memory->free = less(memory->total, used);
  return answer;
}

API nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory) {
  ANY_DEVICE_CALL(call, nvmlDeviceGetMemoryInfo_v2, device);
  if (memory == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (NVML_VINTAGE < 535 || memory->version != nvmlMemory_v2) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  if (call.instance != NULL) {
    memory->total = call.instance->profile->mebibytes << 20;
    memory->reserved = reserved_of_instance(&call);
    memory->used = used_of_instance(&call);
    memory->free = less(memory->total, memory->used + memory->reserved);
    return NVML_SUCCESS;
  }
  memory->reserved = count_of(&call, Q_MEMORY_RESERVED);
  memory->used = count_of(&call, Q_MEMORY_USED);
  nvmlReturn_t answer = answer_u64(&call, Q_MEMORY_TOTAL, 1, &memory->total);
  memory->free = less(memory->total, memory->used + memory->reserved);
  return answer;
}

API nvmlReturn_t nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t *memory) {
  DEVICE_CALL(call, nvmlDeviceGetBAR1MemoryInfo, device);
  if (memory == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  memory->bar1Used = count_of(&call, Q_BAR1_USED);
  nvmlReturn_t answer = answer_u64(&call, Q_BAR1_TOTAL, 1, &memory->bar1Total);
  memory->bar1Free = less(memory->bar1Total, memory->bar1Used);
  return answer;
}
