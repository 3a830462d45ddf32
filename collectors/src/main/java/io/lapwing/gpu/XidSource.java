package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts the watch in its first round and exposes the counted XIDs and {@code
 * lapwing_gpu_xid_listening} ({@code nvmlEventSetWait_v2}).
 */
public final class XidSource extends FixedSource {

  public static final String COLLECTOR = "gpu_xid";

  private final XidWatch watch;
  private final Consumer<SampleSink> counts;

  public XidSource(XidWatch watch, Consumer<SampleSink> counts) {
    super("gpu_events", GPUS);
    add(COLLECTOR, Cadence.FAST, this::collect);
    this.watch = watch;
    this.counts = counts;
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
