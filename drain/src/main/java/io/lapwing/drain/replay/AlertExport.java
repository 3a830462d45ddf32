package io.lapwing.drain.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Words;
import io.lapwing.drain.replay.Finding.Demand;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the answer of Prometheus' {@code /api/v1/query_range} for {@code ALERTS}. Alerts that ask
 * for no node are left out, as are those that only try the alerts and those that NVML did not
 * confirm. One that has no sample for longer than two steps has resolved.
 */
record AlertExport(Instant from, Instant until, List<Finding> alerts) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private record Alert(
      NodeName node,
      String name,
      String labels,
      Remedy remedy,
      boolean failing,
      Optional<Urgency> urgency) {}

  /** Of all files together: an alert may fire from one of them into the next. */
  static AlertExport read(List<Path> files) throws UnreadableRecord, IOException {
    Map<Alert, TreeSet<Instant>> all = new LinkedHashMap<>();
    TreeSet<Instant> times = new TreeSet<>();
    for (Path file : files) {
      read(file, all, times);
    }
    Duration step = step(all.values());
    List<Finding> alerts = new ArrayList<>();
    all.forEach(
        (alert, samples) ->
            alerts.addAll(firings(alert, List.copyOf(samples), step, times.last())));
    return new AlertExport(times.first(), times.last(), alerts);
  }

  private static void read(Path file, Map<Alert, TreeSet<Instant>> all, Set<Instant> times)
      throws UnreadableRecord, IOException {
    JsonNode root = tree(file);
    JsonNode result = root.path("data").path("result");
    if (!root.path("data").path("resultType").asText("").equals("matrix") || !result.isArray()) {
      throw new UnreadableRecord(file, "data: not the matrix of a query_range");
    }
    if (result.isEmpty()) {
      throw new UnreadableRecord(file, "data.result: empty");
    }
    for (int i = 0; i < result.size(); i++) {
      Place at = new Place(file, "data.result[" + i + "]");
      List<Instant> samples = samples(result.get(i).path("values"), at);
      times.addAll(samples);
      alert(result.get(i).path("metric"), at)
          .ifPresent(one -> all.computeIfAbsent(one, any -> new TreeSet<>()).addAll(samples));
    }
  }

  private record Place(Path file, String at) {
    UnreadableRecord wrong(String field, String why) {
      return new UnreadableRecord(file, at + field + ": " + why);
    }
  }

  private static JsonNode tree(Path file) throws UnreadableRecord, IOException {
    try {
      JsonNode root = JSON.readTree(Files.readAllBytes(file));
      return root == null ? JSON.missingNode() : root;
    } catch (JsonProcessingException e) {
      throw new UnreadableRecord(
          file, e.getLocation().getLineNr(), "not JSON: " + e.getOriginalMessage());
    }
  }

  private static List<Instant> samples(JsonNode values, Place at) throws UnreadableRecord {
    List<Instant> times = new ArrayList<>();
    if (!values.isArray() || values.isEmpty()) {
      throw at.wrong(".values", "missing, empty, or not a list");
    }
    for (int i = 0; i < values.size(); i++) {
      JsonNode time = values.get(i).path(0);
      Instant next = time.isNumber() ? instant(time.decimalValue(), at, i) : Instant.MIN;
      if (next.equals(Instant.MIN)
          || (!times.isEmpty() && !next.isAfter(times.get(times.size() - 1)))) {
        throw at.wrong(".values[" + i + "]", "not a time, or not in order");
      }
      times.add(next);
    }
    return times;
  }

  private static Instant instant(BigDecimal seconds, Place at, int i) throws UnreadableRecord {
    try {
      return Instant.ofEpochMilli(seconds.movePointRight(3).longValueExact());
    } catch (ArithmeticException e) {
      throw at.wrong(".values[" + i + "]", "not a time in seconds");
    }
  }

  private static Optional<Alert> alert(JsonNode labels, Place at) throws UnreadableRecord {
    if (!labels.path("alertstate").asText("firing").equals("firing")
        || labels.path("test").asText("").equals("1")
        || labels.path("confirmed").asText("").equals("0")
        || labels.path("action").isMissingNode()) {
      return Optional.empty();
    }
    Remedy remedy =
        Remedy.parse(labels.path("action").asText(""))
            .orElseThrow(() -> at.wrong(".metric.action", "not an action"));
    if (!remedy.takesNode() || labels.path("instance").isMissingNode()) {
      return Optional.empty();
    }
    String instance = labels.path("instance").asText("").replaceFirst(":[0-9]+$", "");
    NodeName node =
        NodeName.parse(instance)
            .orElseThrow(() -> at.wrong(".metric.instance", "not the name of a node"));
    String name = labels.path("alertname").asText("");
    if (name.isEmpty()) {
      throw at.wrong(".metric.alertname", "missing");
    }
    return Optional.of(
        new Alert(
            node,
            Words.plain(labels.path("rule").asText(name), 100),
            Words.plain(labels.toString(), 300),
            remedy,
            labels.path("severity").asText("").equals("critical"),
            urgency(labels, at)));
  }

  private static Optional<Urgency> urgency(JsonNode labels, Place at) throws UnreadableRecord {
    if (labels.path("urgency").isMissingNode()) {
      return Optional.empty();
    }
    String word = labels.path("urgency").asText("").toLowerCase(Locale.ROOT);
    return Optional.of(
        Urgency.parse(word).orElseThrow(() -> at.wrong(".metric.urgency", "not an urgency")));
  }

  /** The export does not have it: the least time between two samples. */
  private static Duration step(Collection<TreeSet<Instant>> all) {
    Duration least = Duration.ofDays(1);
    for (TreeSet<Instant> samples : all) {
      Instant before = samples.first();
      for (Instant at : samples.tailSet(before, false)) {
        Duration gap = Duration.between(before, at);
        least = gap.compareTo(least) < 0 ? gap : least;
        before = at;
      }
    }
    return least.equals(Duration.ofDays(1)) ? MINUTE : least;
  }

  private static List<Finding> firings(
      Alert alert, List<Instant> times, Duration step, Instant until) {
    List<Finding> firings = new ArrayList<>();
    int first = 0;
    for (int i = 0; i < times.size(); i++) {
      Instant end = times.get(i).plus(step);
      boolean last = i + 1 == times.size();
      if (last || times.get(i + 1).isAfter(end.plus(step))) {
        boolean fires = last && end.isAfter(until);
        firings.add(finding(alert, times.get(first), fires ? Optional.empty() : Optional.of(end)));
        first = i + 1;
      }
    }
    return firings;
  }

  private static Finding finding(Alert alert, Instant from, Optional<Instant> to) {
    return new Finding(
        alert.node(),
        alert.name(),
        alert.labels(),
        alert.name(),
        alert.urgency(),
        List.of(new Demand(from, alert.failing(), alert.remedy())),
        to,
        Optional.empty());
  }
}
