package io.lapwing.drain.intake.agents;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Json;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.Words;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What an agent serves at {@code /api/v1/health}. It permits nothing while the node is in
 * maintenance, and is unknown while an action rests on findings that NVML has not confirmed.
 *
 * @param hostname of the node; empty if the agent does not know it
 * @param finding the one with the greatest action; empty if no finding has one
 * @param gpus whether the agent has its GPUs open
 */
public record HealthDocument(
    NodeHealth health, String hostname, Optional<Cause> finding, GpuRelease.State gpus) {

  /** NVML confirms a line of the kernel log within a minute, or not at all. */
  private static final Duration CONFIRMATION = Duration.ofSeconds(70);

  /** As in the agent's advice: the clock was set back, so the age is not known. */
  private static final Duration SET_BACK = Duration.ofSeconds(10);

  /** A finding that requires an action. */
  public record Cause(String rule, Remedy action, Urgency urgency, Instant since) {}

  /**
   * Reads the document.
   *
   * @throws Unusable naming the field, if it is not one of an agent
   */
  public static HealthDocument read(byte[] json) throws Unusable {
    JsonNode root = Json.object(json, "health");
    Instant at = time(root, "at");
    List<Cause> causes = new ArrayList<>();
    List<String> unconfirmed = new ArrayList<>();
    for (JsonNode finding : root.path("findings")) {
      if (!text(finding, "severity").equals("info")) {
        Cause cause = cause(finding);
        boolean counts = !cause.action().takesNode() || isConfirmed(finding, cause, at);
        if (counts) {
          causes.add(cause);
        } else {
          unconfirmed.add(
              finding.path("confirmed").asBoolean(true)
                  ? cause.rule()
                      + " is from the kernel log alone; NVML has until "
                      + cause.since().plus(CONFIRMATION).truncatedTo(ChronoUnit.SECONDS)
                      + " to confirm it"
                  : "NVML has not confirmed " + cause.rule());
        }
      }
    }
    Optional<Cause> worst = worst(causes);
    JsonNode node = root.path("node");
    return new HealthDocument(
        health(root, at, causes, worst, unconfirmed),
        node.path("hostname").asText(""),
        worst,
        release(root));
  }

  /** Older agents do not report whether they are closed. */
  private static GpuRelease.State release(JsonNode root) {
    if (root.path("gpus_released").isNull()) {
      return GpuRelease.State.OPEN;
    }
    JsonNode closed = root.path("gpus_released").path("closed");
    if (!closed.isBoolean()) {
      return GpuRelease.State.UNKNOWN;
    }
    return closed.booleanValue() ? GpuRelease.State.RELEASED : GpuRelease.State.CLOSING;
  }

  /** Why the agent's action does not count yet. */
  private static String notYet(Remedy said, List<String> unconfirmed) {
    return unconfirmed.isEmpty()
        ? "no finding asks for " + said.word()
        : String.join("; ", unconfirmed);
  }

  /** An urgent reset stays urgent beside a later replacement. */
  private static Optional<Cause> worst(List<Cause> causes) {
    Urgency urgency = urgency(causes);
    return causes.stream()
        .max(Comparator.comparing(Cause::action))
        .map(cause -> new Cause(cause.rule(), cause.action(), urgency, cause.since()));
  }

  private static Urgency urgency(List<Cause> causes) {
    return causes.stream()
        .filter(cause -> cause.action().takesNode())
        .map(Cause::urgency)
        .max(Comparator.naturalOrder())
        .orElse(Urgency.JOB_END);
  }

  private static NodeHealth health(
      JsonNode root,
      Instant at,
      List<Cause> causes,
      Optional<Cause> worst,
      List<String> unconfirmed)
      throws Unusable {
    Remedy said = remedy(root);
    Remedy action = worst.map(Cause::action).orElse(Remedy.NONE);
    Verdict verdict = verdict(root);
    String what = Words.plain(text(root, "summary"), 300);
    if (root.path("maintenance").isObject()) {
      verdict = Verdict.MAINTENANCE;
      what = "the node is in maintenance (lapwing maintenance): " + what;
    } else if (said.takesNode() && said.compareTo(action) > 0) {
      verdict = Verdict.UNKNOWN;
      what = notYet(said, unconfirmed) + ": " + what;
    }
    JsonNode node = root.path("node");
    return new NodeHealth(
        verdict,
        said.compareTo(action) < 0 ? said : action,
        at,
        flag(root, "simulated"),
        Words.plain(node.path("boot_id").asText(""), 64),
        Words.plain(node.path("instance_id").asText(""), 64),
        what,
        gpus(root),
        rules(causes),
        urgency(causes),
        serials(root));
  }

  /** Those that answer. */
  private static OptionalInt gpus(JsonNode root) {
    if (!root.path("gpus").isArray()) {
      return OptionalInt.empty();
    }
    int working = 0;
    for (JsonNode gpu : root.path("gpus")) {
      String verdict = gpu.path("verdict").asText("");
      working += verdict.equals("healthy") || verdict.equals("degraded") ? 1 : 0;
    }
    return OptionalInt.of(working);
  }

  private static Set<String> rules(List<Cause> causes) {
    return causes.stream()
        .filter(cause -> cause.action().takesNode())
        .map(Cause::rule)
        .collect(Collectors.toSet());
  }

  /** A GPU is known by its UUID, which a board keeps; a host by the serial of its history. */
  private static Set<String> serials(JsonNode root) {
    Set<String> serials = new TreeSet<>();
    root.path("gpus").forEach(gpu -> serials.add(Words.plain(gpu.path("uuid").asText(""), 64)));
    root.path("hardware")
        .forEach(part -> serials.add(Words.plain(part.path("serial").asText(""), 64)));
    serials.remove("");
    return serials;
  }

  /** What NVML saw too needs no confirmation. */
  private static boolean isConfirmed(JsonNode finding, Cause cause, Instant at) {
    if (finding.path("confirmed").isBoolean() && !finding.path("confirmed").booleanValue()) {
      return false;
    }
    boolean lineOnly = cause.rule().startsWith("xid_") && isOnly(finding, "kernel log");
    return !lineOnly
        || !at.isBefore(cause.since().plus(CONFIRMATION))
        || at.isBefore(cause.since().minus(SET_BACK));
  }

  private static boolean isOnly(JsonNode finding, String source) {
    JsonNode sources = finding.path("sources");
    return sources.size() == 1 && sources.get(0).asText().equals(source);
  }

  private static Cause cause(JsonNode finding) throws Unusable {
    String urgency = text(finding, "urgency");
    return new Cause(
        Words.plain(text(finding, "rule"), 100),
        remedy(finding),
        Urgency.parse(urgency).orElseThrow(() -> malformed("urgency", "not an urgency")),
        time(finding, "since"));
  }

  private static Remedy remedy(JsonNode node) throws Unusable {
    return Remedy.parse(text(node, "action"))
        .orElseThrow(() -> malformed("action", "not an action"));
  }

  private static Verdict verdict(JsonNode root) throws Unusable {
    String word = text(root, "verdict");
    for (Verdict verdict : Verdict.values()) {
      if (verdict != Verdict.MAINTENANCE && verdict.name().toLowerCase(Locale.ROOT).equals(word)) {
        return verdict;
      }
    }
    throw malformed("verdict", "not a verdict");
  }

  private static boolean flag(JsonNode root, String field) throws Unusable {
    if (!root.path(field).isBoolean()) {
      throw malformed(field, "missing, or neither true nor false");
    }
    return root.path(field).booleanValue();
  }

  private static Instant time(JsonNode node, String field) throws Unusable {
    try {
      return Instant.parse(text(node, field));
    } catch (DateTimeException e) {
      throw malformed(field, "not a time");
    }
  }

  private static String text(JsonNode node, String field) throws Unusable {
    if (!node.path(field).isTextual()) {
      throw malformed(field, "missing, or not a text");
    }
    return node.path(field).textValue();
  }

  private static Unusable malformed(String field, String reason) {
    return new Unusable(Result.MALFORMED, "health." + field + ": " + reason);
  }
}
