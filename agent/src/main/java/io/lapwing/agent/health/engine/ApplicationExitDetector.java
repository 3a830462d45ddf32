package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Sees that the application that an XID hit has ended: its process is gone from procfs, or, where
 * the XID named none, no process is left on the GPU. Used by one thread.
 */
public final class ApplicationExitDetector {

  public static final List<Metric> NEEDS = List.of(GpuMetrics.PROCESSES);

  private static final int MOST = 128;

  /** When the process of that number was started; empty where there is none. */
  private final LongFunction<Optional<Instant>> startOf;

  private final Map<Hit, Instant> waiting = new LinkedHashMap<>();

  private record Hit(String gpu, OptionalLong pid) {}

  ApplicationExitDetector(LongFunction<Optional<Instant>> startOf) {
    this.startOf = startOf;
  }

  /** The processes below a mount point of procfs. */
  public static ApplicationExitDetector below(Path procfs) {
    return new ApplicationExitDetector(new ProcessStart(procfs)::of);
  }

  void note(Event event) {
    if (event instanceof Event.Booted) {
      waiting.clear();
    } else if (event instanceof Event.Xid xid && !xid.gpu().isEmpty() && waiting.size() < MOST) {
      waiting.put(new Hit(xid.gpu(), xid.pid()), xid.at());
    } else if (event instanceof Event.ApplicationEnded ended) {
      waiting.remove(new Hit(ended.gpu(), ended.pid()));
    }
  }

  List<Event> ended(NodeSnapshot view) {
    List<Event> events = new ArrayList<>();
    waiting.forEach(
        (hit, at) -> {
          if (isOver(hit, at, view)) {
            events.add(new Event.ApplicationEnded(view.now(), hit.gpu(), hit.pid()));
          }
        });
    return events;
  }

  private boolean isOver(Hit hit, Instant at, NodeSnapshot view) {
    return hit.pid().isPresent()
        ? startOf.apply(hit.pid().getAsLong()).filter(start -> !start.isAfter(at)).isEmpty()
        : view.gpu(hit.gpu()).filter(ApplicationExitDetector::isIdle).isPresent();
  }

  private static boolean isIdle(GpuStatus gpu) {
    return gpu.values().get(GpuMetrics.PROCESSES).orElse(1) == 0;
  }
}
