package io.lapwing.simulator;

import java.util.Locale;
import java.util.Map;

/** The driver version of the library. */
public enum Variant {
  /** The newest interface, with every call and field id. */
  NEW("libnvidia-ml.so.1", "lib-new", "580.95.05", "13.0"),

  /** A driver of early 2024: fabric info up to version 2, no field id above 222. */
  MID("libnvidia-ml-mid.so.1", "lib-mid", "550.54.15", "12.4"),

  /** A driver of 2022: no GPM, no margin temperature, no SRAM status, no field id above 167. */
  OLD("libnvidia-ml-old.so.1", "lib-old", "520.61.05", "11.8"),

  /** A shared library that is not NVML: it loads but has no NVML symbols. */
  EMPTY("libempty.so", "lib-empty", "580.95.05", "13.0");

  private final String builtAs;
  private final String folder;
  private final String driver;
  private final String cuda;

  Variant(String builtAs, String folder, String driver, String cuda) {
    this.builtAs = builtAs;
    this.folder = folder;
    this.driver = driver;
    this.cuda = cuda;
  }

  /** Name of the file in the jar. */
  String builtAs() {
    return builtAs;
  }

  /** Path in a node; the node's state is {@code ../state} from its folder. */
  String path() {
    return folder + "/" + (this == EMPTY ? builtAs : "libnvidia-ml.so.1");
  }

  /** State lines of the driver for this variant. */
  Map<String, String> state() {
    String nvml = cuda.substring(0, cuda.indexOf('.')) + "." + driver;
    return Map.of("driver.version", driver, "nvml.version", nvml, "cuda.version", cuda);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
