package io.lapwing.agent.config;

import java.util.Locale;

/**
 * A setting: {@code --name} on the command line, {@code LAPWING_NAME} in the environment, {@code
 * name} in the file.
 *
 * @param name words joined by dots and dashes
 * @param defaultText the default, as it would be written
 * @param reloadable whether SIGHUP applies a change; otherwise it takes a restart
 * @param help one sentence
 */
public record Option<T>(
    String name, ValueType<T> type, String defaultText, boolean reloadable, String help) {
  static final String VARIABLE_PREFIX = "LAPWING_";
  private static final String COLLECTOR_PREFIX = "collector.";

  /** The option that enables or disables one collector. */
  static Option<Boolean> of(CollectorSwitch collector) {
    return new Option<>(
        COLLECTOR_PREFIX + collector.name(),
        ValueType.BOOLEAN,
        String.valueOf(collector.defaultOn()),
        true,
        collector.help());
  }

  String flag() {
    return "--" + name;
  }

  /** The flag that sets a boolean option to false. */
  String negatedFlag() {
    return "--no-" + name;
  }

  String variable() {
    return VARIABLE_PREFIX + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  boolean isCollector() {
    return name.startsWith(COLLECTOR_PREFIX) && !equals(Options.DISABLE_DEFAULTS);
  }

  /** The collector that the option enables; only for {@link #isCollector}. */
  String collector() {
    return name.substring(COLLECTOR_PREFIX.length());
  }

  boolean isBoolean() {
    return type == (Object) ValueType.BOOLEAN;
  }

  /** The value in tables and help texts. */
  String placeholder() {
    return isBoolean() ? "true|false" : type.placeholder();
  }

  /** A collector that can be enabled and disabled. */
  public record CollectorSwitch(String name, boolean defaultOn, String help) {}
}
