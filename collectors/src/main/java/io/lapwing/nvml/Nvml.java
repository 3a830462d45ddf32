package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.List;

/** The driver's management library, loaded once for the life of the process. Thread-safe. */
public interface Nvml {

  /**
   * {@code nvmlInit_v2}: attaches to the driver that is loaded now. Handles of an earlier one
   * become useless.
   */
  Reading<Boolean> init();

  /** {@code nvmlShutdown}. */
  void shutdown();

  /**
   * {@code nvmlSystemGetDriverVersion}, {@code nvmlSystemGetNVMLVersion}, {@code
   * nvmlSystemGetCudaDriverVersion_v2}.
   */
  Reading<DriverVersions> versions();

  /** {@code nvmlDeviceGetCount_v2}: as many as were found at {@link #init}. */
  Reading<Integer> gpuCount();

  /**
   * {@code nvmlDeviceGetHandleByIndex_v2}. What comes back serves one thread; another thread asks
   * for its own.
   *
   * @param index from 0 in PCI bus order
   */
  Reading<NvmlGpu> gpu(int index);

  /**
   * {@code nvmlEventSetCreate} and {@code nvmlDeviceRegisterEvents} for XIDs.
   *
   * @param gpus the GPUs to listen to, opened by the thread that will wait
   */
  Reading<NvmlEvents> xidEvents(List<NvmlGpu> gpus);

  /** Whether the library says of itself that it is Lapwing's simulator. */
  boolean simulated();

  /** The functions that this version of the library does not have, among those asked for so far. */
  List<String> missingSymbols();

  /**
   * What is installed.
   *
   * @param driver such as {@code 570.133.20}
   * @param nvml such as {@code 12.570.133.20}
   * @param cuda such as {@code 12.8}; empty where the library does not say
   */
  record DriverVersions(String driver, String nvml, String cuda) {}
}
