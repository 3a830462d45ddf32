/*
 * The CUDA driver API, as far as an active test calls it: contexts, copies, events and one kernel.
 *
 * Memory of a device is memory of this process. Times are simulated: each operation takes as long as the state's rates
 * demand. The state makes a GPU slow (cuda.host_copy and the like), wrong (cuda.wrong) or hung (block.cuLaunchKernel).
 */
#include "../call.h"
#include "../devices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

enum {
  CUDA_OK = 0,
  CUDA_INVALID_VALUE = 1,
  CUDA_OUT_OF_MEMORY = 2,
  CUDA_NOT_INITIALIZED = 3,
  CUDA_NO_DEVICE = 100,
  CUDA_INVALID_DEVICE = 101,
  CUDA_INVALID_CONTEXT = 201,
  CUDA_NOT_FOUND = 500,
  CUDA_VERSION_MISMATCH = 803
};

enum { ATTRIBUTE_MULTIPROCESSORS = 16, LANES = 256, CHAINS = 8, WRONG_ARITHMETIC = 1, WRONG_COPY = 2 };

struct context {
  int slot;
  double clock; /* seconds of simulated work */
};

struct moment {
  double clock;
};

struct kernel {
  char name[64];
};

static _Thread_local struct context *current; /* each thread has its own, as with the driver */

API int lapwing_simulated(void);
API int lapwing_simulated(void) { return 1; }

static CUresult code(nvmlReturn_t answer) {
  switch (answer) {
    case NVML_SUCCESS:
      return CUDA_OK;
    case NVML_ERROR_UNINITIALIZED:
      return CUDA_NOT_INITIALIZED;
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return CUDA_NO_DEVICE;
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH:
      return CUDA_VERSION_MISMATCH;
    case NVML_ERROR_GPU_IS_LOST:
      return CUDA_INVALID_DEVICE;
    default:
      return (CUresult)answer; /* as the state line return.cuX has it */
  }
}

#define CUDA_BEGIN(call, begin)                   \
  CALL call = {0};                                \
  do {                                            \
    CUresult refused = code(begin);               \
    if (refused != CUDA_OK) {                     \
      return refused;                             \
    }                                             \
  } while (0)

/* A call in the current context. */
#define IN_CONTEXT(call, name)                    \
  if (current == NULL) {                          \
    return CUDA_INVALID_CONTEXT;                  \
  }                                               \
  CUDA_BEGIN(call, begin_device_call(&call, FUNCTION_##name, handle_of(current->slot)))

static double quantity(const struct call *call, enum quantity wanted) {
  double value = 0;
  answer_double(call, wanted, &value);
  return value;
}

static bool wrong(const struct call *call, int how) { return ((int)quantity(call, Q_CUDA_WRONG) & how) != 0; }

/* Lets the time of an operation pass: a rate in units of 1e9 or 1e12 a second. */
static void work(const struct call *call, double amount, enum quantity rate, double unit) {
  double each = quantity(call, rate) * unit;
  current->clock += each > 0 ? amount / each : 0;
}

/* Flips one bit of the copy. */
static void spoil(const struct call *call, void *data, size_t bytes) {
  if (wrong(call, WRONG_COPY) && bytes > 0) {
    ((unsigned char *)data)[bytes / 2] ^= 4;
  }
}

API CUresult cuInit(unsigned int flags) {
  CUDA_BEGIN(call, begin_call_before_init(&call, FUNCTION_cuInit));
  if (flags != 0) {
    return CUDA_INVALID_VALUE;
  }
  enumerate(call.state);
  return device_count() > 0 ? CUDA_OK : CUDA_NO_DEVICE;
}

API CUresult cuDeviceGetCount(int *count) {
  CUDA_BEGIN(call, begin_system_call(&call, FUNCTION_cuDeviceGetCount));
  *count = device_count();
  return CUDA_OK;
}

API CUresult cuDeviceGet(CUdevice *device, int index) {
  CUDA_BEGIN(call, begin_system_call(&call, FUNCTION_cuDeviceGet));
  if (slot_at(index) < 0) {
    return CUDA_INVALID_DEVICE;
  }
  *device = slot_at(index);
  return CUDA_OK;
}

/* The 16 bytes of GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx. */
API CUresult cuDeviceGetUuid(unsigned char *uuid, CUdevice device) {
  CUDA_BEGIN(call, begin_device_call(&call, FUNCTION_cuDeviceGetUuid, handle_of(device)));
  const char *text = call.gpu->text[T_UUID];
  int bytes = 0;
  for (text += strncmp(text, "GPU-", 4) == 0 ? 4 : 0; *text != '\0' && bytes < 16;) {
    unsigned value;
    if (*text == '-') {
      text++;
    } else if (sscanf(text, "%2x", &value) == 1) {
      uuid[bytes++] = (unsigned char)value;
      text += 2;
    } else {
      return CUDA_INVALID_VALUE;
    }
  }
  return bytes == 16 ? CUDA_OK : CUDA_INVALID_VALUE;
}

API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  CUDA_BEGIN(call, begin_device_call(&call, FUNCTION_cuDeviceGetAttribute, handle_of(device)));
  if (attribute != ATTRIBUTE_MULTIPROCESSORS) {
    return CUDA_INVALID_VALUE;
  }
  *value = 4;
  return CUDA_OK;
}

API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  CUDA_BEGIN(call, begin_device_call(&call, FUNCTION_cuDeviceCanAccessPeer, handle_of(device)));
  *can = device != peer && quantity(&call, Q_CUDA_PEER_COPY) > 0;
  return CUDA_OK;
}

API CUresult cuCtxCreate_v2(struct context **context, unsigned int flags, CUdevice device) {
  CUDA_BEGIN(call, begin_device_call(&call, FUNCTION_cuCtxCreate_v2, handle_of(device)));
  (void)flags;
  *context = calloc(1, sizeof **context);
  if (*context == NULL) {
    return CUDA_OUT_OF_MEMORY;
  }
  (*context)->slot = device;
  current = *context;
  return CUDA_OK;
}

API CUresult cuCtxSetCurrent(struct context *context) {
  current = context;
  return CUDA_OK;
}

API CUresult cuCtxEnablePeerAccess(struct context *peer, unsigned int flags) {
  IN_CONTEXT(call, cuCtxEnablePeerAccess);
  return peer == NULL || flags != 0 ? CUDA_INVALID_VALUE : CUDA_OK;
}

API CUresult cuCtxSynchronize(void) {
  IN_CONTEXT(call, cuCtxSynchronize);
  return CUDA_OK;
}

API CUresult cuCtxDestroy_v2(struct context *context) {
  if (current == context) {
    current = NULL;
  }
  free(context);
  return CUDA_OK;
}

API CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes) {
  IN_CONTEXT(call, cuMemAlloc_v2);
  void *place = calloc(1, bytes);
  *memory = (CUdeviceptr)(uintptr_t)place;
  return place == NULL ? CUDA_OUT_OF_MEMORY : CUDA_OK;
}

API CUresult cuMemFree_v2(CUdeviceptr memory) {
  free((void *)(uintptr_t)memory);
  return CUDA_OK;
}

API CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned int flags) {
  IN_CONTEXT(call, cuMemHostAlloc);
  (void)flags;
  *memory = calloc(1, bytes);
  return *memory == NULL ? CUDA_OUT_OF_MEMORY : CUDA_OK;
}

API CUresult cuMemFreeHost(void *memory) {
  free(memory);
  return CUDA_OK;
}

API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, void *stream) {
  IN_CONTEXT(call, cuMemcpyHtoDAsync_v2);
  (void)stream;
  memcpy((void *)(uintptr_t)to, from, bytes);
  work(&call, (double)bytes, Q_CUDA_HOST_COPY, 1e9);
  spoil(&call, (void *)(uintptr_t)to, bytes);
  return CUDA_OK;
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, void *stream) {
  IN_CONTEXT(call, cuMemcpyDtoHAsync_v2);
  (void)stream;
  memcpy(to, (void *)(uintptr_t)from, bytes);
  work(&call, (double)bytes, Q_CUDA_HOST_COPY, 1e9);
  return CUDA_OK;
}

API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, void *stream) {
  IN_CONTEXT(call, cuMemcpyDtoDAsync_v2);
  (void)stream;
  memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
  work(&call, (double)bytes, Q_CUDA_DEVICE_COPY, 1e9);
  return CUDA_OK;
}

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, struct context *other, CUdeviceptr from, struct context *own,
                               size_t bytes, void *stream) {
  IN_CONTEXT(call, cuMemcpyPeerAsync);
  (void)stream;
  if (other == NULL || own == NULL) {
    return CUDA_INVALID_CONTEXT;
  }
  memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
  double slower = fmin(quantity(&call, Q_CUDA_PEER_COPY),
                       gpu_value(&call.state->gpu[other->slot], Q_CUDA_PEER_COPY, call.now));
  current->clock += slower > 0 ? (double)bytes / (slower * 1e9) : 0;
  spoil(&call, (void *)(uintptr_t)to, bytes);
  return CUDA_OK;
}

API CUresult cuEventCreate(struct moment **event, unsigned int flags) {
  IN_CONTEXT(call, cuEventCreate);
  (void)flags;
  *event = calloc(1, sizeof **event);
  return *event == NULL ? CUDA_OUT_OF_MEMORY : CUDA_OK;
}

API CUresult cuEventRecord(struct moment *event, void *stream) {
  IN_CONTEXT(call, cuEventRecord);
  (void)stream;
  event->clock = current->clock;
  return CUDA_OK;
}

API CUresult cuEventSynchronize(struct moment *event) {
  IN_CONTEXT(call, cuEventSynchronize);
  return event == NULL ? CUDA_INVALID_VALUE : CUDA_OK;
}

API CUresult cuEventElapsedTime(float *milliseconds, struct moment *start, struct moment *end) {
  IN_CONTEXT(call, cuEventElapsedTime);
  *milliseconds = (float)((end->clock - start->clock) * 1000);
  return CUDA_OK;
}

API CUresult cuModuleLoadData(void **module, const char *image) {
  IN_CONTEXT(call, cuModuleLoadData);
  bool ptx = image != NULL && strstr(image, ".version") != NULL && strstr(image, ".entry lapwing_fma") != NULL;
  *module = strdup("module");
  return ptx ? CUDA_OK : CUDA_INVALID_VALUE;
}

API CUresult cuModuleGetFunction(struct kernel **function, void *module, const char *name) {
  IN_CONTEXT(call, cuModuleGetFunction);
  if (module == NULL || strcmp(name, "lapwing_fma") != 0) {
    return CUDA_NOT_FOUND;
  }
  *function = calloc(1, sizeof **function);
  snprintf((*function)->name, sizeof (*function)->name, "%s", name);
  return CUDA_OK;
}

/* What the kernel computes in one lane: chains of x = x * x + c, each rounded once. */
static unsigned lane(unsigned number, unsigned steps, float c) {
  unsigned all = 0;
  for (unsigned chain = 0; chain < CHAINS; chain++) {
    float x = (float)(number * CHAINS + chain) * 0x1p-12f;
    for (unsigned i = 0; i < steps; i++) {
      x = fmaf(x, x, c);
    }
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    all ^= bits;
  }
  return all;
}

API CUresult cuLaunchKernel(struct kernel *function, unsigned int blocks, unsigned int y, unsigned int z,
                            unsigned int threads, unsigned int thread_y, unsigned int thread_z, unsigned int shared,
                            void *stream, void **arguments, void **extra) {
  IN_CONTEXT(call, cuLaunchKernel);
  (void)shared;
  (void)stream;
  if (function == NULL || arguments == NULL || extra != NULL || y * z * thread_y * thread_z != 1) {
    return CUDA_INVALID_VALUE;
  }
  unsigned *out = (unsigned *)(uintptr_t)*(CUdeviceptr *)arguments[0];
  unsigned steps = *(unsigned *)arguments[1];
  float c = *(float *)arguments[2];
  unsigned lanes[LANES];
  for (unsigned i = 0; i < LANES; i++) {
    lanes[i] = lane(i, steps, c);
  }
  for (unsigned i = 0; i < blocks * threads; i++) {
    out[i] = lanes[i % LANES];
  }
  if (wrong(&call, WRONG_ARITHMETIC)) {
    out[blocks * threads / 3] ^= 1;
  }
  work(&call, 2.0 * CHAINS * steps * blocks * threads, Q_CUDA_FMA, 1e12);
  return CUDA_OK;
}
