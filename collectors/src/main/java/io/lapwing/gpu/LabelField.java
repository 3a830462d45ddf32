package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml.DriverVersions;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.InforomObject;
import java.util.Map;
import java.util.function.Function;

/** The DCGM fields that are texts: in a field file they become labels of every other family. */
public enum LabelField {
  DRIVER_VERSION("DCGM_FI_DRIVER_VERSION", gpu -> gpu.versions().driver()),
  NVML_VERSION("DCGM_FI_NVML_VERSION", gpu -> gpu.versions().nvml()),
  CUDA_DRIVER_VERSION("DCGM_FI_CUDA_DRIVER_VERSION", gpu -> gpu.versions().cuda()),
  NAME("DCGM_FI_DEV_NAME", gpu -> gpu.identity().name()),
  BRAND("DCGM_FI_DEV_BRAND", Facts::brand),
  SERIAL("DCGM_FI_DEV_SERIAL", gpu -> gpu.identity().serial()),
  UUID("DCGM_FI_DEV_UUID", gpu -> gpu.identity().uuid()),
  MINOR_NUMBER("DCGM_FI_DEV_MINOR_NUMBER", gpu -> gpu.identity().minorNumber()),
  PCI_BUS_ID("DCGM_FI_DEV_PCI_BUSID", gpu -> gpu.identity().pciBusId()),
  VBIOS_VERSION("DCGM_FI_DEV_VBIOS_VERSION", gpu -> gpu.identity().vbiosVersion()),
  OEM_INFOROM_VERSION("DCGM_FI_DEV_OEM_INFOROM_VER", gpu -> gpu.inforom(InforomObject.OEM)),
  ECC_INFOROM_VERSION("DCGM_FI_DEV_ECC_INFOROM_VER", gpu -> gpu.inforom(InforomObject.ECC)),
  POWER_INFOROM_VERSION("DCGM_FI_DEV_POWER_INFOROM_VER", gpu -> gpu.inforom(InforomObject.POWER)),
  INFOROM_IMAGE_VERSION(
      "DCGM_FI_DEV_INFOROM_IMAGE_VER", gpu -> gpu.identity().inforomImageVersion());

  private final String metricName;
  private final Function<Facts, String> text;

  LabelField(String metricName, Function<Facts, String> text) {
    this.metricName = metricName;
    this.text = text;
  }

  public String metricName() {
    return metricName;
  }

  /** The text of one GPU; empty where the driver has none. Some fields call the driver. */
  String of(Facts gpu) {
    return text.apply(gpu);
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
