package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.SampleSink;
import io.lapwing.common.log.Log;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** One collector of one source, with the buffer it fills. Used by the source's thread only. */
final class CollectorSlot {

  private static final Log LOG = Log.of(CollectorSlot.class);

  private final String source;
  private final Collector collector;
  private final ReadErrors errors;
  private final PollClock clock;
  private final SampleBuffer buffer = new SampleBuffer();
  private final Set<String> reported = new HashSet<>();

  CollectorSlot(String source, Collector collector, ReadErrors errors, PollClock clock) {
    this.source = source;
    this.collector = collector;
    this.errors = errors;
    this.clock = clock;
  }

  Collector collector() {
    return collector;
  }

  /** Runs the collector. A bug costs this run only; its stack trace is logged once. */
  CollectorRun run() {
    long start = clock.nanoTime();
    try {
      collector.collect(new Sink());
      return new CollectorRun.Collected(
          collector.name(),
          collector.cadence(),
          clock.instant(),
          clock.nanoTime(),
          since(start),
          buffer.take());
    } catch (RuntimeException | Error bug) {
      buffer.take();
      errors.add(collector.name(), "bug");
      if (reported.add(String.valueOf(bug))) {
        LOG.error(
            "collector failed with a bug", bug, "collector", collector.name(), "source", source);
      }
      return broken("bug", String.valueOf(bug), since(start));
    }
  }

  /** The run of a collector whose source could not be read. */
  CollectorRun without(Access access) {
    if (access instanceof Access.NothingHere nothing) {
      return new CollectorRun.NothingHere(
          collector.name(),
          collector.cadence(),
          clock.instant(),
          clock.nanoTime(),
          Duration.ZERO,
          nothing.why());
    }
    Access.Down down = (Access.Down) access;
    errors.add(collector.name(), down.reason());
    return broken(down.reason(), down.why(), Duration.ZERO);
  }

  private CollectorRun broken(String reason, String why, Duration took) {
    return new CollectorRun.Broken(
        collector.name(),
        collector.cadence(),
        clock.instant(),
        clock.nanoTime(),
        took,
        reason,
        why);
  }

  private Duration since(long start) {
    return Duration.ofNanos(clock.nanoTime() - start);
  }

  private final class Sink implements SampleSink {

    @Override
    public void add(Metric metric, Labels labels, double value) {
      buffer.add(metric, labels, value);
    }

    @Override
    public void failed(String question, String reason) {
      errors.add(collector.name(), reason);
      LOG.debug(
          "read failed",
          "source",
          source,
          "collector",
          collector.name(),
          "question",
          question,
          "reason",
          reason);
    }
  }
}
