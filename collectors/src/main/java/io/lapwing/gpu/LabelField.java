package io.lapwing.gpu;

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
}
