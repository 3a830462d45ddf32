package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.List;

/** What one source (command line, environment, file) sets, and its problems, one line each. */
record ConfigSource(List<RawValue> values, List<String> problems, List<String> warnings) {

  ConfigSource() {
    this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  void add(Option<?> option, String text, String place) {
    values.add(new RawValue(option, text, place));
  }

  /**
   * The unparsed value of an option.
   *
   * @param place where it was set, as an error line starts: {@code flag --log.level}
   */
  record RawValue(Option<?> option, String text, String place) {

    String problem(String message) {
      return place + ": " + message;
    }
  }
}
