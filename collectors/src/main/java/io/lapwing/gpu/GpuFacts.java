package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml.DriverVersions;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.InforomObject;
import java.util.Map;

/**
 * The texts that a {@link LabelField} can show of one GPU; read from the device only when one is
 * asked for.
 */
record GpuFacts(GpuIdentity identity, DriverVersions versions, NvmlGpu gpu) {

  /** {@code nvmlBrandType_t}; NVML has no names for them, these are the header's. */
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

  String value(LabelField field) {
    return switch (field) {
      case DRIVER_VERSION -> versions.driver();
      case NVML_VERSION -> versions.nvml();
      case CUDA_DRIVER_VERSION -> versions.cuda();
      case NAME -> identity.name();
      case BRAND -> text(gpu.brand().map(brand -> BRANDS.getOrDefault(brand, "Unknown")));
      case SERIAL -> identity.serial();
      case UUID -> identity.uuid();
      case MINOR_NUMBER -> identity.minorNumber();
      case PCI_BUS_ID -> identity.pciBusId();
      case VBIOS_VERSION -> identity.vbiosVersion();
      case OEM_INFOROM_VERSION -> text(gpu.inforomVersion(InforomObject.OEM));
      case ECC_INFOROM_VERSION -> text(gpu.inforomVersion(InforomObject.ECC));
      case POWER_INFOROM_VERSION -> text(gpu.inforomVersion(InforomObject.POWER));
      case INFOROM_IMAGE_VERSION -> identity.inforomImageVersion();
    };
  }

  private static String text(Reading<String> reading) {
    return reading.toOptional().orElse("");
  }
}
