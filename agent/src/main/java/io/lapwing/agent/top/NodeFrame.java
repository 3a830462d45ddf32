package io.lapwing.agent.top;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.web.HealthJson;
import io.lapwing.agent.web.HealthJson.UnreadableHealth;
import io.lapwing.json.JsonCursor;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One answer of {@code /api/v1/live?rates}. Numbers that the node does not have are absent, never
 * zero.
 *
 * @param at by the agent's clock
 * @param instanceType of {@code /api/v1/node}; empty while unknown
 */
record NodeFrame(
    Instant at,
    String hostname,
    String instanceType,
    String version,
    boolean simulated,
    HealthReport health,
    List<Gpu> gpus,
    List<Instance> instances,
    List<Rail> rails,
    List<FileSystem> fileSystems,
    List<Target> targets,
    List<Rank> ranks,
    List<Problem> problems) {

  /** Evaluations are seconds apart; the limit is that of {@code lapwing check}. */
  private static final Duration MAX_AGE = Duration.ofSeconds(60);

  /** Memory in MiB, power in watts, clocks in MHz, activity from 0 to 1. */
  record Gpu(
      int index,
      String uuid,
      boolean up,
      String name,
      OptionalDouble utilizationPercent,
      OptionalDouble smActive,
      OptionalDouble tensorActive,
      OptionalDouble memoryUsed,
      OptionalDouble memory,
      OptionalDouble watts,
      OptionalDouble wattsLimit,
      OptionalDouble celsius,
      OptionalDouble megahertz,
      List<String> clockEvents,
      Map<String, Double> xids,
      String job,
      String user) {}

  /**
   * A MIG instance of the GPU with this UUID; memory in MiB, activity from 0 to 1.
   *
   * @param allocated 1 or 0, also by its whole GPU; empty if unknown
   */
  record Instance(
      String gpuUuid,
      int id,
      String profile,
      OptionalDouble smActive,
      OptionalDouble tensorActive,
      OptionalDouble memoryUsed,
      OptionalDouble memory,
      OptionalDouble allocated,
      String job,
      String user) {}

  /** An EFA device; bytes and packets per second. */
  record Rail(
      String device,
      boolean up,
      String gpus,
      OptionalDouble received,
      OptionalDouble sent,
      OptionalDouble packets,
      OptionalDouble retransmitted,
      OptionalDouble timeouts) {}

  /** A Lustre file system; bytes per second. */
  record FileSystem(
      String name, OptionalDouble read, OptionalDouble written, OptionalDouble freeRatio) {}

  /** A Lustre target; the wait is in seconds for each RPC. */
  record Target(
      String fileSystem,
      String name,
      OptionalDouble connected,
      String state,
      OptionalDouble inFlight,
      OptionalDouble inFlightLimit,
      OptionalDouble rpcs,
      OptionalDouble rpcWait,
      OptionalDouble evictions) {}

  /** A training rank; shares of its step time from 0 to 1, {@code ended} in seconds since 1970. */
  record Rank(
      String job,
      String rank,
      String gpu,
      boolean verified,
      String phase,
      OptionalDouble step,
      OptionalDouble ended,
      OptionalDouble usualSeconds,
      OptionalDouble stepSeconds,
      OptionalDouble ownWork,
      OptionalDouble inputWait,
      OptionalDouble communicationWait) {}

  /** A source that does not work. */
  record Problem(String source, String state, String why, OptionalDouble hungSeconds) {}

  /** A body that is not an agent's. */
  static final class UnreadableFrame extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableFrame(String why) {
      super(why);
    }
  }

  /** Reads {@code /api/v1/live}; the server may be any. */
  static NodeFrame of(String live, String instanceType) throws UnreadableFrame {
    Object document = json(live);
    JsonRow row = JsonRow.of(document);
    try {
      Object health = document instanceof Map<?, ?> members ? members.get("health") : null;
      return new NodeFrame(
          Instant.parse(row.text("at")),
          row.text("hostname"),
          instanceType,
          row.text("version"),
          row.flag("simulated"),
          HealthJson.readMember(health),
          row.rows("gpus").stream().map(FrameRows::gpu).toList(),
          row.rows("gpu_instances").stream().map(FrameRows::instance).toList(),
          row.rows("efa").stream().map(FrameRows::rail).toList(),
          row.rows("lustre").stream().map(FrameRows::fileSystem).toList(),
          row.rows("lustre_targets").stream().map(FrameRows::target).toList(),
          row.rows("training").stream().map(FrameRows::rank).toList(),
          row.rows("troubles").stream().map(FrameRows::problem).toList());
    } catch (UnreadableHealth | DateTimeParseException e) {
      throw new UnreadableFrame("unreadable /api/v1/live: " + e.getMessage());
    }
  }

  /** The instance type in {@code /api/v1/node}; empty if unknown. */
  static String instanceType(String node) throws UnreadableFrame {
    return JsonRow.of(json(node)).row("node").text("instanceType");
  }

  private static @Nullable Object json(String body) throws UnreadableFrame {
    try (JsonCursor cursor = JsonCursor.of(body)) {
      return cursor.value();
    } catch (IOException e) {
      throw new UnreadableFrame("the response is not JSON");
    }
  }

  /** Why the verdict is too old to count, as for {@code lapwing check}. */
  Optional<String> staleEvaluation() {
    Duration age = Duration.between(health.at(), at);
    return age.compareTo(MAX_AGE) > 0
        ? Optional.of("the agent has not evaluated health for " + age.toSeconds() + " s")
        : Optional.empty();
  }
}
