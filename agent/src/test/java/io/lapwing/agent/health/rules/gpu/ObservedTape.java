package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The events that an agent records of a tape, and the view of a rule: growth at the first reading
 * and then at most once an hour, for seven days; each start.
 */
final class ObservedTape {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(5);
  private static final Duration KEPT = Duration.ofDays(7);

  private final ErrorTape tape;
  private final long[] count;
  private final long[] written;
  private final Instant[] read;
  private final Instant[] wrote;
  private final List<Event> events = new ArrayList<>();
  private Instant now = START;

  ObservedTape(ErrorTape tape) {
    this.tape = tape;
    count = new long[tape.gpus()];
    written = new long[tape.gpus()];
    read = new Instant[tape.gpus()];
    wrote = new Instant[tape.gpus()];
    for (int gpu = 0; gpu < tape.gpus(); gpu++) {
      read[gpu] = START;
      wrote[gpu] = Instant.MIN;
    }
    events.add(new Event.Started(START, "1"));
  }

  /** One step passes, seen or not. */
  void step(int step, boolean watched) {
    now = START.plus(STEP.multipliedBy(step + 1L));
    for (int gpu = 0; gpu < tape.gpus(); gpu++) {
      count[gpu] += tape.at(gpu, step);
      if (watched) {
        read(gpu);
      }
    }
  }

  /** The agent starts again. */
  void start() {
    events.add(new Event.Started(now, "1"));
  }

  /** The driver is reloaded: the counts restart at 0. */
  void reload() {
    events.add(new Event.DriverLoaded(now, "1"));
    for (int gpu = 0; gpu < tape.gpus(); gpu++) {
      count[gpu] = 0;
      written[gpu] = 0;
      read[gpu] = now;
    }
  }

  private void read(int gpu) {
    if (count[gpu] == written[gpu]) {
      read[gpu] = now;
    } else if (wrote[gpu].equals(Instant.MIN) || !now.isBefore(wrote[gpu].plusSeconds(3600))) {
      events.add(new Event.EccGrowth(now, read[gpu], uuid(gpu), true, written[gpu], count[gpu]));
      written[gpu] = count[gpu];
      read[gpu] = now;
      wrote[gpu] = now;
    }
  }

  int index(Subject subject) {
    return IntStream.range(0, tape.gpus())
        .filter(gpu -> new Subject.Gpu(uuid(gpu)).equals(subject))
        .findFirst()
        .orElseThrow();
  }

  static String uuid(int gpu) {
    return "GPU-" + gpu;
  }

  NodeSnapshot view() {
    events.removeIf(
        event -> event instanceof Event.EccGrowth && event.at().isBefore(now.minus(KEPT)));
    List<GpuStatus> gpus = new ArrayList<>();
    for (int gpu = 0; gpu < tape.gpus(); gpu++) {
      gpus.add(gpu(gpu, count[gpu]));
    }
    return view(now, gpus, events);
  }

  static GpuStatus gpu(int index, long count) {
    Values values =
        metric ->
            metric.equals(DcgmMetrics.ECC_SBE_AGG_TOTAL)
                ? Map.of(List.of(), (double) count)
                : Map.of();
    return new GpuStatus(uuid(index), index, "", PartStatus.State.ANSWERS, values);
  }

  static NodeSnapshot view(Instant now, List<GpuStatus> gpus, List<Event> events) {
    return new NodeSnapshot(
        now,
        new NodeFacts(
            "node",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.Up("1", gpus.size()),
        NodeSnapshot.AgentStatus.ALL_AVAILABLE,
        gpus,
        List.of(),
        new History(events),
        Trends.NONE);
  }
}
