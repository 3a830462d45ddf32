package io.lapwing.agent.config;

import io.lapwing.common.config.Option;
import io.lapwing.common.config.ValueType;

/** A collector that can be enabled and disabled. */
public record CollectorSwitch(String name, boolean defaultOn, String help) {
  static final String PREFIX = "collector.";

  /** The option that enables or disables the collector. */
  Option<Boolean> option() {
    return new Option<>(PREFIX + name, ValueType.BOOLEAN, String.valueOf(defaultOn), true, help);
  }

  static boolean isOf(Option<?> option) {
    return option.name().startsWith(PREFIX) && !option.equals(Options.DISABLE_DEFAULTS);
  }

  /** The collector that the option enables; only for one of a collector. */
  static String name(Option<?> option) {
    return option.name().substring(PREFIX.length());
  }
}
