package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.linux.ProcFs;
import io.lapwing.metric.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Detects that an XID's application has exited: its process is not in procfs any more, or, without
 * a pid, none is left on the GPU. Used by one thread.
 */
public final class ApplicationExitDetector {

  public static final List<Metric> NEEDS = List.of(GpuMetrics.PROCESSES);

  private static final int MAX_WAITING = 128;

  /** When a process was started; empty where it does not exist. */
  private final LongFunction<Optional<Instant>> startOf;

  /** The greatest age of a list of processes, since one from before the XID is useless. */
  private final Supplier<Duration> listed;

  private final Map<Hit, Instant> waiting = new LinkedHashMap<>();

  private record Hit(String gpu, OptionalLong pid) {}

  ApplicationExitDetector(LongFunction<Optional<Instant>> startOf, Supplier<Duration> listed) {
    this.startOf = startOf;
    this.listed = listed;
  }

  /**
   * The processes below a mount point of procfs; those of a GPU are listed again within the given
   * time.
   */
  public static ApplicationExitDetector below(Path procfs, Supplier<Duration> listed) {
    return new ApplicationExitDetector(new ProcessStart(procfs)::of, listed);
  }

  void add(Event event) {
    if (event instanceof Event.Booted) {
      waiting.clear();
    } else if (event instanceof Event.Xid xid
        && !xid.gpu().isEmpty()
        && waiting.size() < MAX_WAITING) {
      waiting.put(new Hit(xid.gpu(), xid.pid()), xid.at());
    } else if (event instanceof Event.ApplicationEnded ended) {
      waiting.remove(new Hit(ended.gpu(), ended.pid()));
    }
  }

  List<Event> exits(NodeSnapshot view) {
    List<Event> events = new ArrayList<>();
    waiting.forEach(
        (hit, at) -> {
          if (hasExited(hit, at, view)) {
            events.add(new Event.ApplicationEnded(view.now(), hit.gpu(), hit.pid()));
          }
        });
    return events;
  }

  private boolean hasExited(Hit hit, Instant at, NodeSnapshot view) {
    return hit.pid().isPresent()
        ? startOf.apply(hit.pid().getAsLong()).filter(start -> !start.isAfter(at)).isEmpty()
        : view.now().isAfter(at.plus(listed.get()))
            && view.gpu(hit.gpu()).filter(ApplicationExitDetector::isIdle).isPresent();
  }

  private static boolean isIdle(GpuStatus gpu) {
    return gpu.values().get(GpuMetrics.PROCESSES).orElse(1) == 0;
  }

  /**
   * Start times of processes, from {@code /proc/PID/stat} and {@code btime} of {@code /proc/stat}.
   */
  static final class ProcessStart {

    private final ProcFs procfs;

    ProcessStart(Path procfs) {
      this.procfs = new ProcFs(procfs);
    }

    /** Empty where there is no such process; {@link Instant#MIN} where its start is unreadable. */
    Optional<Instant> of(long pid) {
      if (!Files.isDirectory(procfs.process(pid))) {
        return Optional.empty();
      }
      return procfs
          .startTicks(pid)
          .flatMap(ticks -> procfs.bootSecond().map(boot -> boot.plusMillis(millis(ticks))))
          .toOptional()
          .or(() -> Optional.of(Instant.MIN));
    }

    private static long millis(long ticks) {
      return ticks * 1000 / ProcFs.TICKS_PER_SECOND;
    }
  }
}
