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
import java.util.List;
import java.util.Set;

/** Reads a scenario from YAML. */
final class ScenarioReader {
  private static final Set<String> KEYS = Set.of("summary", "types", "set", "history", "steps");
  private static final int TIMES_MAX = 1000;

  private ScenarioReader() {}

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

  private static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  static Scenario read(String name, String file, JsonNode yaml) throws ScenarioException {
    YamlValue whole = new YamlValue(file, "", yaml);
    whole.requireMapOf(KEYS);
    List<Scenario.Step> steps = new ArrayList<>();
    for (YamlValue step : whole.at("steps").list()) {
      steps.addAll(steps(step));
    }
    steps.sort(Comparator.comparing(Scenario.Step::at));
    return new Scenario(
        name,
        yaml.path("summary").asText(""),
        types(whole.at("types")),
        whole.at("set").stateLines(),
        HistoryReader.read(whole.at("history")),
        steps);
  }

  private static List<String> types(YamlValue yaml) throws ScenarioException {
    List<String> types = yaml.texts();
    if (types.isEmpty()) {
      return types;
    }
    List<String> known = InstanceType.all().stream().map(InstanceType::name).toList();
    for (String type : types) {
      yaml.require(
          known.contains(type), "'" + type + "' is no instance type" + NearestName.of(type, known));
    }
    return types;
  }

  /** A step with {@code every} and {@code times} is that many steps. */
  private static List<Scenario.Step> steps(YamlValue yaml) throws ScenarioException {
    List<Scenario.Step> once = StepReader.steps(yaml);
    if (!yaml.has("every") && !yaml.has("times")) {
      return once;
    }
    Duration every = yaml.at("every").duration();
    int times = yaml.at("times").number(1, TIMES_MAX);
    List<Scenario.Step> steps = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      Duration later = every.multipliedBy(i);
      once.forEach(step -> steps.add(step.later(later)));
    }
    return steps;
  }
}
