package io.lapwing.agent.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lapwing.agent.health.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A labelled case of the corpus, whose README describes the form.
 *
 * @param theme of its file
 * @param steps what happens to the node; empty for a case that is a log's text
 * @param text a saved log; empty for a case of steps
 * @param model NVML's name of the GPUs
 * @param victims rules whose findings are consequences: they must be absent or {@code info}
 * @param miss why the agent is known to judge this wrongly; empty where it is right
 * @param replayed whether {@code lapwing replay} judges its log too, and must agree
 */
record Case(
    String theme,
    String name,
    String why,
    String source,
    List<String> steps,
    String text,
    String model,
    String driver,
    Map<Profile, Label> labels,
    Set<String> victims,
    String miss,
    boolean replayed) {

  static final Path CORPUS = Path.of("src", "test", "resources", "corpus");

  private static final Set<String> MEMBERS =
      Set.of(
          "name",
          "why",
          "source",
          "steps",
          "text",
          "model",
          "driver",
          "label",
          "aws",
          "nvidia",
          "balanced",
          "victims",
          "known_miss",
          "replay");

  static List<Case> all() {
    try (Stream<Path> files = Files.list(CORPUS)) {
      List<Case> cases = new ArrayList<>();
      for (Path file : files.filter(one -> one.toString().endsWith(".yaml")).sorted().toList()) {
        cases.addAll(of(file));
      }
      return cases;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Case> of(Path file) throws IOException {
    JsonNode root = new YAMLMapper().readTree(file.toFile());
    String theme = root.path("theme").asText();
    List<Case> cases = new ArrayList<>();
    for (JsonNode node : root.path("cases")) {
      try {
        cases.add(of(theme, root.path("source").asText(), node));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(file + ": " + node.path("name").asText(), wrong);
      }
    }
    return cases;
  }

  private static Case of(String theme, String source, JsonNode node) {
    node.fieldNames()
        .forEachRemaining(
            member -> {
              if (!MEMBERS.contains(member)) {
                throw new IllegalArgumentException("unknown member " + member);
              }
            });
    if (node.path("why").asText().isEmpty()) {
      throw new IllegalArgumentException("a label needs its reason");
    }
    List<String> steps = new ArrayList<>();
    node.path("steps").forEach(step -> steps.add(step.asText()));
    Set<String> victims = new TreeSet<>();
    node.path("victims").forEach(victim -> victims.add(victim.asText()));
    boolean logOnly =
        steps.stream().allMatch(step -> step.matches("(?:log |wait |running |boot$).*"));
    return new Case(
        theme,
        node.path("name").asText(),
        node.path("why").asText(),
        node.path("source").asText(source),
        List.copyOf(steps),
        node.path("text").asText(),
        node.path("model").asText("NVIDIA H100 80GB HBM3"),
        node.path("driver").asText("570.133.20"),
        labels(node),
        Set.copyOf(victims),
        node.path("known_miss").asText(),
        !steps.isEmpty() && logOnly && node.path("replay").asBoolean(true));
  }

  /** {@code label} is that of {@code aws} alone, as the default profile. */
  private static Map<Profile, Label> labels(JsonNode node) {
    Map<Profile, Label> labels = new EnumMap<>(Profile.class);
    if (node.has("label")) {
      labels.put(Profile.AWS, Label.parse(node.path("label").asText()));
    }
    for (Profile profile : Profile.values()) {
      String name = profile.toString().toLowerCase(Locale.ROOT);
      if (node.has(name)) {
        labels.put(profile, Label.parse(node.path(name).asText()));
      }
    }
    if (labels.isEmpty()) {
      throw new IllegalArgumentException("no label");
    }
    return Map.copyOf(labels);
  }
}
