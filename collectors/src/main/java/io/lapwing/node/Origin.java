package io.lapwing.node;

import java.util.Locale;

/** Who says what the node is; the first that says anything is believed. */
public enum Origin {
  /** The operator: {@code --node.instance-type}, {@code --node.instance-id}. */
  CONFIGURATION,
  /** The firmware's tables, {@code class/dmi/id} of sysfs. */
  DMI,
  /** The instance metadata service. */
  IMDS,
  /** Nobody, so far. */
  NOBODY;

  /** As it stands in {@code /api/v1/node}: {@code dmi}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
