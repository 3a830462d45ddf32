package io.lapwing.cuda;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/**
 * The calls of {@code cuda.h} that the tests make: {@code CUdevice} as int, {@code CUdeviceptr} and
 * {@code size_t} as long, handles and out-parameters as pointers, results {@code CUresult}.
 */
interface CudaLibrary extends Library {

  int cuInit(int flags);

  int cuDeviceGetCount(Pointer count);

  int cuDeviceGet(Pointer device, int index);

  int cuDeviceGetUuid(Pointer uuid, int device);

  int cuDeviceGetAttribute(Pointer value, int attribute, int device);

  int cuDeviceCanAccessPeer(Pointer can, int device, int peer);

  int cuCtxCreate_v2(PointerByReference context, int flags, int device);

  int cuCtxSetCurrent(Pointer context);

  int cuCtxEnablePeerAccess(Pointer peer, int flags);

  int cuCtxSynchronize();

  int cuCtxDestroy_v2(Pointer context);

  int cuMemAlloc_v2(Pointer memory, long bytes);

  int cuMemFree_v2(long memory);

  int cuMemHostAlloc(PointerByReference memory, long bytes, int flags);

  int cuMemFreeHost(Pointer memory);

  int cuMemcpyHtoDAsync_v2(long to, Pointer from, long bytes, Pointer stream);

  int cuMemcpyDtoHAsync_v2(Pointer to, long from, long bytes, Pointer stream);

  int cuMemcpyDtoDAsync_v2(long to, long from, long bytes, Pointer stream);

  int cuMemcpyPeerAsync(
      long to, Pointer toContext, long from, Pointer fromContext, long bytes, Pointer stream);

  int cuEventCreate(PointerByReference event, int flags);

  int cuEventRecord(Pointer event, Pointer stream);

  int cuEventSynchronize(Pointer event);

  int cuEventElapsedTime(Pointer milliseconds, Pointer start, Pointer end);

  int cuModuleLoadData(PointerByReference module, Pointer image);

  int cuModuleGetFunction(PointerByReference function, Pointer module, String name);

  int cuLaunchKernel(
      Pointer function,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ,
      int sharedBytes,
      Pointer stream,
      Pointer arguments,
      Pointer extra);

  /** Only Lapwing's simulator has this one. */
  int lapwing_simulated();
}
