package io.lapwing.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** The scenarios in this jar. */
final class ScenarioLibrary {
  private static final String FOLDER = "scenarios/";

  private ScenarioLibrary() {}

  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (JsonNode name : Yaml.resource(FOLDER + "index.yaml")) {
      names.add(name.asText());
    }
    return names;
  }

  static List<Scenario> all() {
    return names().stream().map(ScenarioLibrary::load).toList();
  }

  static Scenario named(String name) {
    List<String> names = names();
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "unknown scenario '"
              + name
              + "'"
              + NearestName.of(name, names)
              + "; known are "
              + String.join(", ", names));
    }
    return load(name);
  }

  private static Scenario load(String name) {
    String file = FOLDER + name + ".yaml";
    try {
      return ScenarioReader.read(name, file, Yaml.resource(file));
    } catch (ScenarioException e) {
      throw new IllegalStateException(e);
    }
  }
}
