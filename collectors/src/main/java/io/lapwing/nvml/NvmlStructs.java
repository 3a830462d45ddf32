package io.lapwing.nvml;

/**
 * Sizes and offsets in bytes of the structs of {@code nvml.h}; the same on x86-64 and aarch64. A
 * test compares them with a C compiler's.
 */
final class NvmlStructs {

  private NvmlStructs() {}

  /** The first word of a versioned struct: its size and its version. */
  static int versionWord(int size, int version) {
    return size | version << 24;
  }

  static final class PciInfo {
    static final int SIZE = 68;
    static final int BUS_ID = 36;

    private PciInfo() {}
  }

  static final class Temperature {
    static final int SIZE = 12;
    static final int VERSION = 0;
    static final int SENSOR_TYPE = 4;
    static final int TEMPERATURE = 8;

    private Temperature() {}
  }

  static final class MarginTemperature {
    static final int SIZE = 8;
    static final int VERSION = 0;
    static final int MARGIN_TEMPERATURE = 4;

    private MarginTemperature() {}
  }

  static final class Utilization {
    static final int SIZE = 8;
    static final int GPU = 0;
    static final int MEMORY = 4;

    private Utilization() {}
  }

  static final class Memory {
    static final int SIZE = 24;
    static final int TOTAL = 0;
    static final int FREE = 8;
    static final int USED = 16;

    private Memory() {}
  }

  static final class MemoryV2 {
    static final int SIZE = 40;
    static final int VERSION = 0;
    static final int TOTAL = 8;
    static final int RESERVED = 16;
    static final int FREE = 24;
    static final int USED = 32;

    private MemoryV2() {}
  }

  static final class Bar1Memory {
    static final int SIZE = 24;
    static final int BAR1_TOTAL = 0;
    static final int BAR1_FREE = 8;
    static final int BAR1_USED = 16;

    private Bar1Memory() {}
  }

  static final class EccSramErrorStatus {
    static final int SIZE = 104;
    static final int VERSION = 0;
    static final int AGGREGATE_UNC_PARITY = 8;
    static final int AGGREGATE_UNC_SEC_DED = 16;
    static final int AGGREGATE_COR = 24;
    static final int VOLATILE_UNC_PARITY = 32;
    static final int VOLATILE_UNC_SEC_DED = 40;
    static final int VOLATILE_COR = 48;
    static final int B_THRESHOLD_EXCEEDED = 96;

    private EccSramErrorStatus() {}
  }

  static final class RowRemapperHistogramValues {
    static final int SIZE = 20;
    static final int MAX = 0;
    static final int HIGH = 4;
    static final int PARTIAL = 8;
    static final int LOW = 12;
    static final int NONE = 16;

    private RowRemapperHistogramValues() {}
  }

  static final class UnrepairableMemoryStatus {
    static final int SIZE = 4;
    static final int B_UNREPAIRABLE_MEMORY = 0;

    private UnrepairableMemoryStatus() {}
  }

  static final class GpuFabricInfo {
    static final int SIZE = 28;
    static final int CLUSTER_UUID = 0;
    static final int STATUS = 16;
    static final int CLIQUE_ID = 20;
    static final int STATE = 24;

    private GpuFabricInfo() {}
  }

  static final class GpuFabricInfoV2 {
    static final int SIZE = 36;
    static final int VERSION = 0;
    static final int CLUSTER_UUID = 4;
    static final int STATUS = 20;
    static final int CLIQUE_ID = 24;
    static final int STATE = 28;
    static final int HEALTH_MASK = 32;

    private GpuFabricInfoV2() {}
  }

  static final class GpuFabricInfoV3 {
    static final int SIZE = 40;
    static final int HEALTH_SUMMARY = 36;

    private GpuFabricInfoV3() {}
  }

  static final class PlatformInfoV2 {
    static final int SIZE = 44;
    static final int CHASSIS_SERIAL_NUMBER = 20;
    static final int SLOT_NUMBER = 36;
    static final int TRAY_INDEX = 37;

    private PlatformInfoV2() {}
  }

  static final class ProcessInfo {
    static final int SIZE = 24;
    static final int PID = 0;
    static final int USED_GPU_MEMORY = 8;
    static final int GPU_INSTANCE_ID = 16;

    private ProcessInfo() {}
  }

  static final class ProcessUtilizationSample {
    static final int SIZE = 32;
    static final int PID = 0;
    static final int TIME_STAMP = 8;
    static final int SM_UTIL = 16;

    private ProcessUtilizationSample() {}
  }

  static final class DeviceAttributes {
    static final int SIZE = 40;
    static final int MULTIPROCESSOR_COUNT = 0;
    static final int GPU_INSTANCE_SLICE_COUNT = 24;
    static final int COMPUTE_INSTANCE_SLICE_COUNT = 28;
    static final int MEMORY_SIZE_M_B = 32;

    private DeviceAttributes() {}
  }

  static final class VgpuInstanceUtilizationSample {
    static final int SIZE = 48;
    static final int VGPU_INSTANCE = 0;
    static final int TIME_STAMP = 8;
    static final int SM_UTIL = 16;
    static final int MEM_UTIL = 24;
    static final int ENC_UTIL = 32;
    static final int DEC_UTIL = 40;

    private VgpuInstanceUtilizationSample() {}
  }

  static final class VgpuLicenseInfo {
    static final int SIZE = 24;
    static final int IS_LICENSED = 0;
    static final int CURRENT_STATE = 20;

    private VgpuLicenseInfo() {}
  }

  static final class GridLicensableFeature {
    static final int SIZE = 284;
    static final int FEATURE_CODE = 0;
    static final int FEATURE_STATE = 4;

    private GridLicensableFeature() {}
  }

  static final class GridLicensableFeatures {
    static final int SIZE = 860;
    static final int IS_GRID_LICENSE_SUPPORTED = 0;
    static final int LICENSABLE_FEATURES_COUNT = 4;
    static final int GRID_LICENSABLE_FEATURES = 8;

    private GridLicensableFeatures() {}
  }

  /** The placement is a struct of two ints, start and size. */
  static final class GpuInstanceInfo {
    static final int SIZE = 24;
    static final int PLACEMENT = 16;

    private GpuInstanceInfo() {}
  }

  static final class FieldValue {
    static final int SIZE = 40;
    static final int FIELD_ID = 0;
    static final int SCOPE_ID = 4;
    static final int VALUE_TYPE = 24;
    static final int NVML_RETURN = 28;
    static final int VALUE = 32;

    private FieldValue() {}
  }

  static final class EventData {
    static final int SIZE = 32;
    static final int DEVICE = 0;
    static final int EVENT_TYPE = 8;
    static final int EVENT_DATA = 16;
    static final int GPU_INSTANCE_ID = 24;

    private EventData() {}
  }

  static final class GpmSupport {
    static final int SIZE = 8;
    static final int VERSION = 0;
    static final int IS_SUPPORTED_DEVICE = 4;

    private GpmSupport() {}
  }

  static final class GpmMetric {
    static final int SIZE = 40;
    static final int METRIC_ID = 0;
    static final int NVML_RETURN = 4;
    static final int VALUE = 8;

    private GpmMetric() {}
  }

  /**
   * The struct ends in an array whose length grew from 98 to 333 while its version stayed 1. An
   * older library touches only the beginning.
   */
  static final class GpmMetricsGet {
    static final int LARGEST_SIZE = 13344;
    static final int VERSION = 0;
    static final int NUM_METRICS = 4;
    static final int SAMPLE1 = 8;
    static final int SAMPLE2 = 16;
    static final int METRICS = 24;

    private GpmMetricsGet() {}
  }
}
