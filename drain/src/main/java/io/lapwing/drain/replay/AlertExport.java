package io.lapwing.drain.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.intake.Words;
import io.lapwing.drain.replay.Finding.Demand;
import io.lapwing.drain.request.Urgency;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the answer of Prometheus' {@code /api/v1/query_range} for {@code ALERTS}. Alerts that ask
 * for no node are left out, as are those that only try the alerts and those that NVML did not
 * confirm. One that has no sample for longer than two steps has resolved.
 */
record AlertExport(Instant from, Instant until, List<Finding> alerts) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private record Series(Alert alert, List<Instant> times) {}

  private record Alert(
      NodeName node,
      String name,
      String labels,
      Remedy remedy,
      boolean failing,
      Optional<Urgency> urgency) {}

  static AlertExport read(Path file) throws UnreadableRecord, IOException {
    JsonNode root = tree(file);
    JsonNode result = root.path("data").path("result");
    if (!root.path("data").path("resultType").asText("").equals("matrix") || !result.isArray()) {
      throw new UnreadableRecord(file, "data: not the matrix of a query_range");
    }
    List<Series> all = new ArrayList<>();
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < result.size(); i++) {
      Place at = new Place(file, "data.result[" + i + "]");
      List<Instant> samples = samples(result.get(i).path("values"), at);
      times.addAll(samples);
      Optional<Alert> alert = alert(result.get(i).path("metric"), at);
      alert.ifPresent(one -> all.add(new Series(one, samples)));
    }
    if (times.isEmpty()) {
      throw new UnreadableRecord(file, "data.result: no samples");
    }
    Instant until = times.stream().max(Instant::compareTo).orElseThrow();
    Duration step = step(all);
    List<Finding> alerts = new ArrayList<>();
    all.forEach(series -> alerts.addAll(firings(series, step, until)));
    return new AlertExport(times.stream().min(Instant::compareTo).orElseThrow(), until, alerts);
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
    if (!values.isArray()) {
      throw at.wrong(".values", "missing, or not a list");
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
  private static Duration step(List<Series> all) {
    Optional<Duration> least = Optional.empty();
    for (Series series : all) {
      for (int i = 1; i < series.times().size(); i++) {
        Duration gap = Duration.between(series.times().get(i - 1), series.times().get(i));
        least = Optional.of(least.filter(one -> one.compareTo(gap) < 0).orElse(gap));
      }
    }
    return least.orElse(MINUTE);
  }

  private static List<Finding> firings(Series series, Duration step, Instant until) {
    List<Finding> firings = new ArrayList<>();
    List<Instant> times = series.times();
    int first = 0;
    for (int i = 0; i < times.size(); i++) {
      Instant end = times.get(i).plus(step);
      boolean last = i + 1 == times.size();
      if (last || times.get(i + 1).isAfter(end.plus(step))) {
        boolean fires = last && end.isAfter(until);
        firings.add(
            finding(series.alert(), times.get(first), fires ? Optional.empty() : Optional.of(end)));
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
