package io.lapwing.agent.config;

import java.util.Locale;

/**
 * One thing the operator may set: {@code --name} on the command line, {@code LAPWING_NAME} in the
 * environment, {@code name} in the file.
 *
 * @param name words joined by dots and dashes
 * @param defaultText what holds when nobody sets it, as it would be written
 * @param help one sentence
 */
record Option<T>(String name, ValueType<T> type, String defaultText, String help) {
  static final String VARIABLE_PREFIX = "LAPWING_";

  String flag() {
    return "--" + name;
  }

  String variable() {
    return variable(name);
  }

  /** What an option of that name is called in the environment. */
  static String variable(String name) {
    return VARIABLE_PREFIX + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether it switches one collector. */
  boolean isCollector() {
    return name.startsWith("collector.") && !name.equals("collector.disable-defaults");
  }

  String negatedFlag() {
    return "--no-" + name;
  }

  /** A flag that needs no value. */
  boolean isSwitch() {
    return type == (Object) ValueTypes.SWITCH;
  }
}
