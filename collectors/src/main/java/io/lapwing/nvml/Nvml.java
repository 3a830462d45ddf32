package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.List;

/** The driver's management library, loaded once per process. Thread-safe. */
public interface Nvml {

  /** {@code nvmlInit_v2}: attaches to the loaded driver. Earlier handles become invalid. */
  Reading<Boolean> init();

  /** {@code nvmlShutdown}. */
  void shutdown();

  Reading<DriverVersions> versions();

  /** {@code nvmlDeviceGetCount_v2}: the number found at {@link #init}. */
  Reading<Integer> gpuCount();

  /** {@code nvmlDeviceGetHandleByIndex_v2}, in PCI bus order; each thread gets its own. */
  Reading<NvmlGpu> gpu(int index);

  /**
   * {@code nvmlEventSetCreate}, {@code nvmlDeviceRegisterEvents}; the GPUs must be opened by the
   * thread that waits.
   */
  Reading<NvmlEvents> xidEvents(List<NvmlGpu> gpus);

  boolean simulated();

  /** The functions called so far that this version of the library does not have. */
  List<String> missingSymbols();

  /** {@code 570.133.20}, {@code 12.570.133.20} and {@code 12.8}, which is empty if unsupported. */
  record DriverVersions(String driver, String nvml, String cuda) {}
}
