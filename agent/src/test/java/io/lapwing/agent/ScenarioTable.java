package io.lapwing.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lapwing.agent.health.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is to be said of a node in each scenario: {@code scenario-verdicts.yaml}, whose head says
 * how it is read, and {@code node-verdicts.yaml}.
 */
final class ScenarioTable {

  /** The corpus covers {@code balanced}, which differs from {@code nvidia} in a few rules. */
  static final List<Profile> PROFILES = List.of(Profile.AWS, Profile.NVIDIA);

  /** What has no data while DCGM's host engine gives none. */
  static final Set<String> OF_DCGM = Set.of("gpu_profiling", "dcgm_health");

  private ScenarioTable() {}

  /**
   * One scenario.
   *
   * @param instance instance type
   * @param deadline {@code --poll.deadline}, of the node's time: some seconds of the real one, so
   *     that a slow test machine is no fault
   * @param between findings that open and close between two moments
   * @param pace how fast the node's time runs while its outcome is waited for
   */
  record Row(
      String scenario,
      String instance,
      Duration deadline,
      double pace,
      Set<String> between,
      List<Moment> moments) {
    @Override
    public String toString() {
      return scenario + " on " + instance;
    }

    /** Whether it is about the EFA devices; the others are made and played faster without them. */
    boolean needsEfa() {
      return scenario.startsWith("efa-");
    }
  }

  /**
   * What is done, and what is said afterwards.
   *
   * @param act {@code at 10s} plays the scenario up to there
   * @param boots whether that boots the machine, so that the agent is started again
   * @param withoutData of {@link #OF_DCGM}
   */
  record Moment(String act, boolean boots, Map<Profile, Said> said, Set<String> withoutData) {
    Said under(Profile profile) {
      return Objects.requireNonNull(said.get(profile));
    }
  }

  /**
   * The whole of it.
   *
   * @param call {@code failing replace_node now}, or {@code healthy}
   * @param findings {@code gpu:5 xid_79}: all but those that are only told
   */
  record Said(String call, Set<String> findings) {

    /** What is said while a judgement does not come back. */
    static final Said NOTHING = new Said("not evaluated", Set.of());
  }

  static List<Row> rows() {
    return rows("/scenario-verdicts.yaml");
  }

  /** A key is a scenario, or {@code SCENARIO on INSTANCE}. */
  static List<Row> rows(String resource) {
    try (InputStream file = ScenarioTable.class.getResourceAsStream(resource)) {
      List<Row> rows = new ArrayList<>();
      for (Map.Entry<String, JsonNode> row : new YAMLMapper().readTree(file).properties()) {
        String[] key = row.getKey().split(" on ", -1);
        String instance = row.getValue().path("instance").asText("p5.48xlarge");
        rows.add(row(key[0], key.length > 1 ? key[1] : instance, row.getValue()));
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Row row(String scenario, String instance, JsonNode yaml) {
    List<Moment> moments = new ArrayList<>();
    yaml.path("moments").forEach(moment -> moments.add(moment(moment)));
    if (!moments.get(0).act().equals("at 0s")) {
      moments.add(0, moment(MissingNode.getInstance(), "at 0s"));
    }
    return new Row(
        scenario,
        instance,
        Duration.ofSeconds(yaml.path("deadline").asInt(300)),
        yaml.path("pace").asInt(100),
        yaml.has("between") ? list(yaml.path("between").asText()) : Set.of(),
        moments);
  }

  private static Moment moment(JsonNode yaml) {
    return moment(
        yaml, yaml.has("at") ? "at " + yaml.path("at").asText() : yaml.path("do").asText());
  }

  private static Moment moment(JsonNode yaml, String act) {
    Map<Profile, Said> said = new EnumMap<>(Profile.class);
    for (Profile profile : PROFILES) {
      String call = yaml.path(profile.toString()).asText(yaml.path("both").asText("healthy"));
      String findings = yaml.path(profile + "-findings").asText(yaml.path("findings").asText(""));
      said.put(profile, new Said(call, call.equals("healthy") ? Set.of() : list(findings)));
    }
    return new Moment(
        act,
        yaml.path("boots").asBoolean(),
        said,
        yaml.has("without-data") ? list(yaml.path("without-data").asText()) : Set.of());
  }

  private static Set<String> list(String text) {
    Set<String> list = new TreeSet<>();
    for (String one : text.split(",", -1)) {
      list.add(one.strip());
    }
    return list;
  }
}
