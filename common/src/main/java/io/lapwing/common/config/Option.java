package io.lapwing.common.config;

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

  public String flag() {
    return "--" + name;
  }

  /** The flag that sets a boolean option to false. */
  String negatedFlag() {
    return "--no-" + name;
  }

  /** The environment variable of a program whose variables start with this prefix. */
  public String variable(String prefix) {
    return prefix + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  public boolean isBoolean() {
    return type == (Object) ValueType.BOOLEAN;
  }

  /** The value in tables and help texts. */
  public String placeholder() {
    return isBoolean() ? "true|false" : type.placeholder();
  }
}
