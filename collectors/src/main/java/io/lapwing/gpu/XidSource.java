package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts the watch in its first round and exposes the counted XIDs and {@code
 * lapwing_gpu_xid_listening} ({@code nvmlEventSetWait_v2}).
 */
public final class XidSource implements Source {

  public static final String COLLECTOR = "gpu_xid";

  private final XidWatch watch;
  private final Consumer<SampleSink> counts;
  private final List<Collector> collectors =
      List.of(Collector.of(COLLECTOR, Cadence.FAST, this::collect));

  public XidSource(XidWatch watch, Consumer<SampleSink> counts) {
    this.watch = watch;
    this.counts = counts;
  }

  @Override
  public String name() {
    return "gpu_events";
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  @Override
  public Access begin(List<Collector> due) {
    watch.start();
    return Access.READY;
  }

  private void collect(SampleSink sink) {
    Optional<String> unavailable = watch.unavailable();
    sink.add(GpuMetrics.XID_LISTENING, Labels.NONE, unavailable.isEmpty() ? 1 : 0);
    unavailable
        .filter(reason -> !reason.equals(XidWatch.UNSUPPORTED))
        .ifPresent(reason -> sink.failed("nvmlEventSetWait_v2", reason));
    counts.accept(sink);
  }
}
