package io.lapwing.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a scenario from YAML. Every complaint names the file and the key, since people write these
 * by hand.
 */
final class ScenarioReader {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h)");
  private static final Pattern XID = Pattern.compile("(\\d{1,2}) +(\\d{1,3})");
  private static final Set<String> KEYS = Set.of("summary", "set", "steps");
  private static final Set<String> STEP_KEYS =
      Set.of("at", "every", "times", "set", "clear", "xid");
  private static final int TIMES_MAX = 1000;

  private final String file;

  private ScenarioReader(String file) {
    this.file = file;
  }

  static Scenario read(Path file) throws ScenarioException {
    String name = file.toString();
    try {
      return read(stem(file), name, Yaml.parse(Files.readString(file, StandardCharsets.UTF_8)));
    } catch (JsonProcessingException e) {
      throw new ScenarioException(name, "", "not YAML: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new ScenarioException(name, "", "cannot be read: " + e.getMessage());
    }
  }

  static Scenario read(String name, String file, JsonNode yaml) throws ScenarioException {
    return new ScenarioReader(file).scenario(name, yaml);
  }

  private static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  private Scenario scenario(String name, JsonNode yaml) throws ScenarioException {
    requireObject("", yaml, KEYS);
    List<Scenario.Step> steps = new ArrayList<>();
    JsonNode listed = yaml.path("steps");
    require(listed.isMissingNode() || listed.isArray(), "steps", "is not a list");
    for (int i = 0; i < listed.size(); i++) {
      steps.addAll(repeated("steps[" + i + "]", listed.get(i)));
    }
    steps.sort(Comparator.comparing(Scenario.Step::at));
    return new Scenario(
        name, yaml.path("summary").asText(""), lines("set", yaml.path("set")), steps);
  }

  /** A step with {@code every} and {@code times} is that many steps. */
  private List<Scenario.Step> repeated(String key, JsonNode yaml) throws ScenarioException {
    Scenario.Step first = step(key, yaml);
    if (!yaml.has("every") && !yaml.has("times")) {
      return List.of(first);
    }
    Duration every = duration(key + ".every", yaml.path("every"));
    int times = yaml.path("times").asInt(0);
    require(times > 0 && times <= TIMES_MAX, key + ".times", "is not between 1 and " + TIMES_MAX);
    List<Scenario.Step> steps = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      steps.add(first.later(every.multipliedBy(i)));
    }
    return steps;
  }

  private Scenario.Step step(String key, JsonNode yaml) throws ScenarioException {
    requireObject(key, yaml, STEP_KEYS);
    return new Scenario.Step(
        duration(key + ".at", yaml.path("at")),
        lines(key + ".set", yaml.path("set")),
        texts(key + ".clear", yaml.path("clear")),
        xids(key + ".xid", yaml.path("xid")));
  }

  private Duration duration(String key, JsonNode yaml) throws ScenarioException {
    Matcher matcher = DURATION.matcher(yaml.asText(""));
    require(
        matcher.matches(), key, "'" + yaml.asText("") + "' is not a duration such as 15s or 2m");
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  private Map<String, String> lines(String key, JsonNode yaml) throws ScenarioException {
    require(yaml.isMissingNode() || yaml.isObject(), key, "is not a map of state lines");
    Map<String, String> lines = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> line : yaml.properties()) {
      require(line.getValue().isValueNode(), key + "." + line.getKey(), "is not a single value");
      lines.put(line.getKey(), line.getValue().isNull() ? "" : line.getValue().asText());
    }
    return lines;
  }

  private List<String> texts(String key, JsonNode yaml) throws ScenarioException {
    if (yaml.isTextual()) {
      return List.of(yaml.asText());
    }
    require(yaml.isMissingNode() || yaml.isArray(), key, "is not a list");
    List<String> texts = new ArrayList<>();
    yaml.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private List<Scenario.Xid> xids(String key, JsonNode yaml) throws ScenarioException {
    List<Scenario.Xid> xids = new ArrayList<>();
    for (String text : texts(key, yaml)) {
      Matcher matcher = XID.matcher(text);
      require(matcher.matches(), key, "'" + text + "' is not a GPU and an XID such as 3 94");
      xids.add(
          new Scenario.Xid(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
    }
    return xids;
  }

  private void requireObject(String key, JsonNode yaml, Set<String> known)
      throws ScenarioException {
    require(yaml.isObject(), key, "is not a map");
    for (Map.Entry<String, JsonNode> entry : yaml.properties()) {
      String path = key.isEmpty() ? entry.getKey() : key + "." + entry.getKey();
      require(known.contains(entry.getKey()), path, "is not a key of a scenario");
    }
  }

  private void require(boolean holds, String key, String problem) throws ScenarioException {
    if (!holds) {
      throw new ScenarioException(file, key, problem);
    }
  }
}
