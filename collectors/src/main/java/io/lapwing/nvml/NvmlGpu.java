package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One GPU. Each method is one call of the C function named there; {@link #fields} and {@link #gpm}
 * read many values at once and come first. {@code NOT_SUPPORTED} is cached and the call not
 * repeated. Serves one thread.
 */
public interface NvmlGpu {

  int index();

  /**
   * {@code nvmlDeviceGetFieldValues}: each field has its own answer. The values are valid until the
   * identical list of keys is read again.
   */
  FieldValues fields(Collection<FieldKey> keys);

  /**
   * {@code nvmlGpmSampleGet}, then {@code nvmlGpmMetricsGet} against the sample of the previous
   * call. Within 100 ms of it no sample is taken, as the device has no new one.
   */
  Reading<GpmValues> gpm(Collection<GpmMetric> metrics);

  /** {@code nvmlDeviceGetName}. */
  Reading<String> name();

  /** {@code nvmlDeviceGetUUID}. */
  Reading<String> uuid();

  /** {@code nvmlDeviceGetSerial}: of the board. */
  Reading<String> serial();

  /** {@code nvmlDeviceGetPciInfo_v3}: bus id as {@code 00000000:53:00.0}. */
  Reading<String> pciBusId();

  /** {@code nvmlDeviceGetMinorNumber}: N of {@code /dev/nvidiaN}. */
  Reading<Integer> minorNumber();

  /** {@code nvmlDeviceGetVbiosVersion}. */
  Reading<String> vbiosVersion();

  /** {@code nvmlDeviceGetBrand}: {@code nvmlBrandType_t}. */
  Reading<Integer> brand();

  /** {@code nvmlDeviceGetInforomImageVersion}. */
  Reading<String> inforomImageVersion();

  /** {@code nvmlDeviceGetInforomVersion}. */
  Reading<String> inforomVersion(InforomObject object);

  /** {@code nvmlDeviceGetInforomConfigurationChecksum}, unsigned 32 bits. */
  Reading<Long> inforomChecksum();

  /** {@code nvmlDeviceValidateInforom}: verifies the flash's checksums. Never in a loop. */
  Reading<Boolean> inforomValid();

  /** {@code nvmlDeviceGetTemperatureV}, or {@code nvmlDeviceGetTemperature}: degrees C. */
  Reading<Integer> temperature();

  /** {@code nvmlDeviceGetMarginTemperature}: degrees C to the point where the GPU slows down. */
  Reading<Integer> marginTemperature();

  /** {@code nvmlDeviceGetTemperatureThreshold}: degrees C. */
  Reading<Integer> temperatureThreshold(TemperatureThreshold threshold);

  /** {@code nvmlDeviceGetPowerUsage}: mW, averaged over about a second. */
  Reading<Integer> powerUsage();

  /** {@code nvmlDeviceGetEnforcedPowerLimit}: mW. */
  Reading<Integer> enforcedPowerLimit();

  /** {@code nvmlDeviceGetPowerManagementLimit}: mW. */
  Reading<Integer> powerManagementLimit();

  /** {@code nvmlDeviceGetPowerManagementDefaultLimit}: mW. */
  Reading<Integer> powerManagementDefaultLimit();

  /** {@code nvmlDeviceGetPowerManagementLimitConstraints}: mW. */
  Reading<PowerRange> powerManagementLimitConstraints();

  /** {@code nvmlDeviceGetClockInfo}: MHz. */
  Reading<Integer> clock(Clock clock);

  /** {@code nvmlDeviceGetMaxClockInfo}: MHz. */
  Reading<Integer> maxClock(Clock clock);

  /** {@code nvmlDeviceGetApplicationsClock}: MHz. */
  Reading<Integer> applicationsClock(Clock clock);

  /** {@code nvmlDeviceGetPerformanceState}: 0 is fastest. */
  Reading<Integer> performanceState();

  /** {@code nvmlDeviceGetCurrentClocksEventReasons} or {@code ...ThrottleReasons}: a bit mask. */
  Reading<Long> clockEventReasons();

  /** {@code nvmlDeviceGetUtilizationRates}: percent. */
  Reading<Utilization> utilization();

  /** {@code nvmlDeviceGetEncoderUtilization}: percent. */
  Reading<Integer> encoderUtilization();

  /** {@code nvmlDeviceGetDecoderUtilization}: percent. */
  Reading<Integer> decoderUtilization();

  /** {@code nvmlDeviceGetMemoryInfo_v2}, or {@code nvmlDeviceGetMemoryInfo}. */
  Reading<Memory> memory();

  /** {@code nvmlDeviceGetBAR1MemoryInfo}. */
  Reading<Bar1> bar1();

  /** {@code nvmlDeviceGetPersistenceMode}: 1 enabled. */
  Reading<Integer> persistenceMode();

  /** {@code nvmlDeviceGetMemoryErrorCounter}. */
  Reading<Long> memoryErrors(EccError error, EccCounter counter, MemoryLocation location);

  /** {@code nvmlDeviceGetSramEccErrorStatus}. */
  Reading<SramEccStatus> sramEccStatus();

  /** {@code nvmlDeviceGetRowRemapperHistogram}. */
  Reading<RowRemapHistogram> rowRemapHistogram();

  /**
   * {@code nvmlDeviceGetUnrepairableMemoryFlag_v1}: whether the GPU has memory that cannot be
   * repaired. The struct, {@code nvmlUnrepairableMemoryStatus_v1_t}, has no version word.
   * Documented since NVML 590 (NVML API Reference, vR590); driver 580.159.04 has it too (an H100).
   */
  Reading<Boolean> memoryUnrepairable();

  /** {@code nvmlDeviceGetCurrPcieLinkGeneration}. */
  Reading<Integer> pcieLinkGeneration();

  /** {@code nvmlDeviceGetCurrPcieLinkWidth}: lanes. */
  Reading<Integer> pcieLinkWidth();

  /** {@code nvmlDeviceGetMaxPcieLinkGeneration}. */
  Reading<Integer> maxPcieLinkGeneration();

  /** {@code nvmlDeviceGetMaxPcieLinkWidth}: lanes. */
  Reading<Integer> maxPcieLinkWidth();

  /** {@code nvmlDeviceGetGpuFabricInfoV} version 3 or 2, or {@code nvmlDeviceGetGpuFabricInfo}. */
  Reading<FabricInfo> fabric();

  /** {@code nvmlDeviceGetPlatformInfo} version 2. */
  Reading<PlatformInfo> platform();

  /** {@code nvmlDeviceGetMigMode}. A change also changes what the GPU supports. */
  Reading<MigMode> migMode();

  /** {@code nvmlDeviceGetMaxMigDeviceCount}: the slices into which the GPU can be divided. */
  Reading<Integer> maxMigDevices();

  /**
   * {@code nvmlDeviceGetMigDeviceHandleByIndex}, and what each MIG device is. Samples of GPU
   * instances that were destroyed or replaced are freed.
   */
  Reading<List<MigDevice>> migDevices();

  /**
   * As {@link #gpm(Collection)} for a GPU instance, by {@code nvmlGpmMigSampleGet}: averages over
   * the instance's own SMs and memory. Without PCIe and NVLink, which instances share.
   */
  Reading<GpmValues> gpm(int gpuInstance, Collection<GpmMetric> metrics);

  /** {@code nvmlDeviceGetComputeRunningProcesses_v3}. Costs milliseconds: never in a fast loop. */
  Reading<List<GpuProcess>> computeProcesses();

  /** {@code nvmlDeviceGetMPSComputeRunningProcesses_v3}: the clients of MPS; as expensive. */
  Reading<List<GpuProcess>> mpsProcesses();

  /**
   * {@code nvmlDeviceGetProcessUtilization}: the driver's samples of processes that used the GPU
   * since a time in microseconds, 0 for all that it keeps. Unsupported on a GPU with MIG. As
   * expensive as a list of processes.
   */
  Reading<List<ProcessSample>> processUtilization(long sinceMicros);

  /** {@code nvmlDeviceGetVirtualizationMode}. */
  Reading<VirtualizationMode> virtualizationMode();

  /**
   * {@code nvmlDeviceGetActiveVgpus}, and what each vGPU is: seven calls for each, and one for the
   * utilisation of all since the call before. On a host only.
   */
  Reading<List<Vgpu>> vgpus();

  /**
   * {@code nvmlDeviceGetGridLicensableFeatures_v4}: whether the vGPU of this virtual machine is
   * licensed.
   */
  Reading<Boolean> vgpuLicensed();

  /** {@code nvmlDeviceGetP2PStatus} over NVLink: {@code nvmlGpuP2PStatus_t}, 0 is good. */
  Reading<Integer> p2pStatus(NvmlGpu peer);

  /** All calls so far that this GPU or this library does not support. */
  List<String> absences();

  /** Frees the binding's resources for this GPU. */
  void close();

  /** {@code nvmlInforomObject_t}; the ordinal is the value. */
  enum InforomObject {
    OEM,
    ECC,
    POWER
  }

  /** {@code nvmlTemperatureThresholds_t}; the ordinal is the value. */
  enum TemperatureThreshold {
    SHUTDOWN,
    SLOWDOWN,
    MEMORY_MAX,
    GPU_MAX
  }

  /** {@code nvmlGpuVirtualizationMode_t}; the ordinal is the value, but for the last. */
  enum VirtualizationMode {
    NONE,
    PASSTHROUGH,
    /** A vGPU, in a virtual machine. */
    VGPU,
    /** A GPU of a host that divides it into vGPUs. */
    HOST_VGPU,
    HOST_VSGA,
    /** A number without a constant here. */
    UNKNOWN;

    static VirtualizationMode of(int value) {
      VirtualizationMode[] modes = values();
      return value >= 0 && value < modes.length ? modes[value] : UNKNOWN;
    }
  }

  /** {@code nvmlClockType_t}; the ordinal is the value. */
  enum Clock {
    GRAPHICS,
    SM,
    MEMORY,
    VIDEO
  }

  /** {@code nvmlMemoryErrorType_t}; the ordinal is the value. */
  enum EccError {
    CORRECTED,
    UNCORRECTED
  }

  /** {@code nvmlEccCounterType_t}; the ordinal is the value. */
  enum EccCounter {
    /** Since the driver was loaded. */
    VOLATILE,
    /** Over the life of the board. */
    AGGREGATE
  }

  /** {@code nvmlMemoryLocation_t}; the ordinal is the value. */
  enum MemoryLocation {
    L1,
    L2,
    DRAM,
    REGISTER,
    TEXTURE,
    SHARED,
    CBU,
    SRAM
  }

  /** Milliwatts. */
  record PowerRange(int min, int max) {}

  /** Percent of the sample period in which a kernel ran or memory was read or written. */
  record Utilization(int gpu, int memory) {}

  /** Bytes. Only version 2 of the call returns {@code reserved}. */
  record Memory(long total, OptionalLong reserved, long free, long used) {}

  /** Bytes of the window through which the host sees device memory. */
  record Bar1(long total, long free, long used) {}

  /** Counts of SRAM errors, and whether the driver's limit for uncorrectable ones was passed. */
  record SramEccStatus(
      long aggregateUncorrectedParity,
      long aggregateUncorrectedSecDed,
      long aggregateCorrected,
      long volatileUncorrectedParity,
      long volatileUncorrectedSecDed,
      long volatileCorrected,
      boolean thresholdExceeded) {}

  /** Memory banks by how many spare rows they have left. */
  record RowRemapHistogram(int max, int high, int partial, int low, int none) {}

  /**
   * The GPU's place in the NVLink fabric.
   *
   * @param clusterUuid as text with dashes; all zeros outside of a cluster
   * @param status {@code nvmlReturn_t} of the registration, meaningful when {@code state} is 3
   * @param state 0 not supported, 1 not started, 2 in progress, 3 completed
   * @param healthMask bit fields, from version 2 on
   * @param healthSummary 0 not supported, 1 healthy, 2 unhealthy, 3 limited capacity; version 3
   */
  record FabricInfo(
      String clusterUuid,
      int status,
      int cliqueId,
      int state,
      OptionalInt healthMask,
      OptionalInt healthSummary) {}

  /**
   * The GPU's place in its rack.
   *
   * @param chassis serial number; empty if the platform does not tell it
   * @param slot in the chassis, those of switches included
   * @param tray among the compute trays of the chassis, from 0
   */
  record PlatformInfo(String chassis, int slot, int tray) {}

  /** 1 enabled, 0 disabled; pending is what a reset will bring. */
  record MigMode(int current, int pending) {}

  /** Bytes in use and MIG GPU instance, empty where the driver does not report them. */
  record GpuProcess(int pid, OptionalLong usedMemory, OptionalInt instance) {}

  /** The percent of a sample period in which a process had a kernel on the GPU. */
  record ProcessSample(int pid, long atMicros, int smPercent) {}
}
