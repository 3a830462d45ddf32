package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.List;

/** The driver's management library, loaded once per process. Thread-safe. */
public interface Nvml {

  /** {@code nvmlInit_v2}: attaches to the loaded driver. Earlier handles become invalid. */
  Reading<Boolean> init();

  /** {@code nvmlShutdown}. */
  void shutdown();

  /**
   * {@code nvmlSystemGetDriverVersion}, {@code nvmlSystemGetNVMLVersion}, {@code
   * nvmlSystemGetCudaDriverVersion_v2}.
   */
  Reading<DriverVersions> versions();

  /** {@code nvmlDeviceGetCount_v2}: the number found at {@link #init}. */
  Reading<Integer> gpuCount();

  /**
   * {@code nvmlDeviceGetHandleByIndex_v2}. The result is not thread-safe; each thread gets its own.
   *
   * @param index from 0 in PCI bus order
   */
  Reading<NvmlGpu> gpu(int index);

  /**
   * {@code nvmlEventSetCreate} and {@code nvmlDeviceRegisterEvents} for XIDs.
   *
   * @param gpus the GPUs to watch, opened by the waiting thread
   */
  Reading<NvmlEvents> xidEvents(List<NvmlGpu> gpus);

  /** Whether the library is Lapwing's simulator. */
  boolean simulated();

  /** The functions called so far that this version of the library does not have. */
  List<String> missingSymbols();

  /**
   * The installed versions.
   *
   * @param driver such as {@code 570.133.20}
   * @param nvml such as {@code 12.570.133.20}
   * @param cuda such as {@code 12.8}; empty if unsupported
   */
  record DriverVersions(String driver, String nvml, String cuda) {}
}
