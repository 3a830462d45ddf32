package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml.DriverVersions;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.InforomObject;
import java.util.Map;

/** The DCGM fields that are texts: in a field file they become labels of every other family. */
public enum LabelField {
  DRIVER_VERSION("DCGM_FI_DRIVER_VERSION"),
  NVML_VERSION("DCGM_FI_NVML_VERSION"),
  CUDA_DRIVER_VERSION("DCGM_FI_CUDA_DRIVER_VERSION"),
  NAME("DCGM_FI_DEV_NAME"),
  BRAND("DCGM_FI_DEV_BRAND"),
  SERIAL("DCGM_FI_DEV_SERIAL"),
  UUID("DCGM_FI_DEV_UUID"),
  MINOR_NUMBER("DCGM_FI_DEV_MINOR_NUMBER"),
  PCI_BUS_ID("DCGM_FI_DEV_PCI_BUSID"),
  VBIOS_VERSION("DCGM_FI_DEV_VBIOS_VERSION"),
  OEM_INFOROM_VERSION("DCGM_FI_DEV_OEM_INFOROM_VER"),
  ECC_INFOROM_VERSION("DCGM_FI_DEV_ECC_INFOROM_VER"),
  POWER_INFOROM_VERSION("DCGM_FI_DEV_POWER_INFOROM_VER"),
  INFOROM_IMAGE_VERSION("DCGM_FI_DEV_INFOROM_IMAGE_VER");

  private final String metricName;

  LabelField(String metricName) {
    this.metricName = metricName;
  }

  public String metricName() {
    return metricName;
  }

  /** The text of one GPU; empty where the driver has none. Some fields call the driver. */
  String of(Facts gpu) {
    return switch (this) {
      case DRIVER_VERSION -> gpu.versions().driver();
      case NVML_VERSION -> gpu.versions().nvml();
      case CUDA_DRIVER_VERSION -> gpu.versions().cuda();
      case NAME -> gpu.identity().name();
      case BRAND -> gpu.brand();
      case SERIAL -> gpu.identity().serial();
      case UUID -> gpu.identity().uuid();
      case MINOR_NUMBER -> gpu.identity().minorNumber();
      case PCI_BUS_ID -> gpu.identity().pciBusId();
      case VBIOS_VERSION -> gpu.identity().vbiosVersion();
      case OEM_INFOROM_VERSION -> gpu.inforom(InforomObject.OEM);
      case ECC_INFOROM_VERSION -> gpu.inforom(InforomObject.ECC);
      case POWER_INFOROM_VERSION -> gpu.inforom(InforomObject.POWER);
      case INFOROM_IMAGE_VERSION -> gpu.identity().inforomImageVersion();
    };
  }

  /** The sources of the texts of one GPU. */
  record Facts(GpuIdentity identity, DriverVersions versions, NvmlGpu gpu) {

    /** {@code nvmlBrandType_t}; NVML has no texts for it, these are from the header. */
    private static final Map<Integer, String> BRANDS =
        Map.ofEntries(
            Map.entry(1, "Quadro"),
            Map.entry(2, "Tesla"),
            Map.entry(3, "NVS"),
            Map.entry(4, "Grid"),
            Map.entry(5, "GeForce"),
            Map.entry(6, "Titan"),
            Map.entry(12, "NvidiaRTX"),
            Map.entry(14, "Nvidia"),
            Map.entry(15, "GeForceRTX"),
            Map.entry(16, "TitanRTX"));

    private String brand() {
      return text(gpu.brand().map(brand -> BRANDS.getOrDefault(brand, "Unknown")));
    }

    private String inforom(InforomObject object) {
      return text(gpu.inforomVersion(object));
    }

    private static String text(Reading<String> reading) {
      return reading.toOptional().orElse("");
    }
  }
}
