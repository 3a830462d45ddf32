package io.lapwing.common.config;

import java.util.List;
import java.util.Map;

/** A value of a YAML file, with its line. */
public sealed interface YamlNode {

  /** The line of the key, counted from 1. */
  int line();

  /** A single value, as it is written. */
  record Scalar(int line, String text) implements YamlNode {}

  /** Keys and values, in their order. */
  record Mapping(int line, Map<String, YamlNode> entries) implements YamlNode {}

  record Items(int line, List<YamlNode> items) implements YamlNode {

    public Items {
      items = List.copyOf(items);
    }
  }

  record Empty(int line) implements YamlNode {}

  /** A value that was reported as a problem already. */
  record Invalid(int line) implements YamlNode {}
}
