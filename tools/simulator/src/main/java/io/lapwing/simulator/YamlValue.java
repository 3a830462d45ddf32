package io.lapwing.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value in a scenario's YAML with its location, so that every error names the file and the key.
 *
 * @param key as {@code steps[2].at}; empty for the whole file
 */
record YamlValue(String file, String key, JsonNode yaml) {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h)");

  YamlValue at(String name) {
    return new YamlValue(file, key.isEmpty() ? name : key + "." + name, yaml.path(name));
  }

  boolean has(String name) {
    return yaml.has(name);
  }

  void require(boolean holds, String problem) throws ScenarioException {
    if (!holds) {
      throw new ScenarioException(file, key, problem);
    }
  }

  void requireMapOf(Set<String> known) throws ScenarioException {
    require(yaml.isObject(), "is not a map");
    for (Map.Entry<String, JsonNode> entry : yaml.properties()) {
      at(entry.getKey()).require(known.contains(entry.getKey()), "is not a key of a scenario");
    }
  }

  /** A missing value is an empty list. */
  List<YamlValue> list() throws ScenarioException {
    require(yaml.isMissingNode() || yaml.isArray(), "is not a list");
    List<YamlValue> values = new ArrayList<>();
    for (int i = 0; i < yaml.size(); i++) {
      values.add(new YamlValue(file, key + "[" + i + "]", yaml.get(i)));
    }
    return values;
  }

  /** A single text or number is read as a list of one. */
  List<String> texts() throws ScenarioException {
    if (yaml.isTextual() || yaml.isNumber()) {
      return List.of(yaml.asText());
    }
    List<String> texts = new ArrayList<>();
    for (YamlValue value : list()) {
      texts.add(value.yaml.asText());
    }
    return texts;
  }

  /** Integers of at most nine digits. */
  List<Integer> numbers(String what) throws ScenarioException {
    List<Integer> numbers = new ArrayList<>();
    for (String text : texts()) {
      require(text.matches("\\d{1,9}"), "'" + text + "' is not " + what);
      numbers.add(Integer.valueOf(text));
    }
    return numbers;
  }

  int number(int least, int most) throws ScenarioException {
    int number = yaml.asInt(least - 1);
    require(number >= least && number <= most, "is not between " + least + " and " + most);
    return number;
  }

  /** A missing value is false. */
  boolean flag() throws ScenarioException {
    require(yaml.isMissingNode() || yaml.isBoolean(), "is neither true nor false");
    return yaml.asBoolean();
  }

  Duration duration() throws ScenarioException {
    return duration(yaml.asText(""));
  }

  Duration duration(String text) throws ScenarioException {
    Matcher matcher = DURATION.matcher(text);
    require(matcher.matches(), "'" + text + "' is not a duration such as 15s or 2m");
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  Map<String, String> stateLines() throws ScenarioException {
    require(yaml.isMissingNode() || yaml.isObject(), "is not a map of state lines");
    Map<String, String> lines = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> line : yaml.properties()) {
      JsonNode value = line.getValue();
      at(line.getKey()).require(value.isValueNode(), "is not a single value");
      String text = value.isNull() ? "" : value.asText();
      if (TrainingSettings.isOfTraining(line.getKey())) {
        Optional<String> problem = TrainingSettings.problem(line.getKey(), text);
        at(line.getKey()).require(problem.isEmpty(), problem.orElse(""));
      }
      lines.put(line.getKey(), text);
    }
    return lines;
  }
}
