package io.lapwing.node;

import java.util.Locale;

/** Where a property of the node comes from; the first origin with a value is used. */
public enum Origin {
  /** The operator: {@code --node.instance-type}, {@code --node.instance-id}. */
  CONFIGURATION,
  /** The firmware's tables, {@code class/dmi/id} of sysfs. */
  DMI,
  /** The instance metadata service. */
  IMDS,
  /** Not known so far. */
  UNKNOWN;

  /** As in {@code /api/v1/node}: {@code dmi}; {@code unknown} so far. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
