package io.lapwing.gpu;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The releases of dcgm-exporter that differ in names, units or labels. */
public enum NameGeneration {
  /** Up to 4.5.3-4.8.2. */
  CLASSIC("classic", "Hostname", LabelField.DRIVER_VERSION.metricName()),
  /** 4.8.3 and 4.8.4. */
  CLASSIC_HOSTNAME("classic-hostname", "hostname", LabelField.DRIVER_VERSION.metricName()),
  /** Since 4.9. */
  V4_9("4.9", "hostname", "DCGM_FI_SYSTEM_DRIVER_VERSION");

  private final String word;
  private final String hostname;
  private final String driverVersion;

  NameGeneration(String word, String hostname, String driverVersion) {
    this.word = word;
    this.hostname = hostname;
    this.driverVersion = driverVersion;
  }

  public static Optional<NameGeneration> named(String word) {
    return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
  }

  /** The valid words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(NameGeneration::toString).toList();
  }

  /** The label of the host. */
  public String hostnameLabel() {
    return hostname;
  }

  /** The label of the driver's version, which its default field file has. */
  public String driverLabel() {
    return driverVersion;
  }

  /** Whether families have the names and units before 4.9. */
  public boolean classicNames() {
    return this != V4_9;
  }

  @Override
  public String toString() {
    return word;
  }
}
