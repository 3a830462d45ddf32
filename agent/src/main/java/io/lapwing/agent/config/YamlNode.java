package io.lapwing.agent.config;

import java.util.List;
import java.util.Map;

/** A value of a YAML file. */
sealed interface YamlNode {

  /** The number of the line where it is, or its key. */
  int line();

  /** Anything that is written as one value, as it is written. */
  record Scalar(int line, String text) implements YamlNode {}

  /** Keys and values in their order. */
  record Mapping(int line, Map<String, YamlNode> entries) implements YamlNode {}

  /** A list. */
  record Items(int line, List<YamlNode> items) implements YamlNode {}

  /** A key without a value. */
  record Nothing(int line) implements YamlNode {}
}
