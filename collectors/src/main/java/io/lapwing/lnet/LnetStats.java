package io.lapwing.lnet;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The counters of LNet, from the single line of {@code lnet/stats}.
 *
 * <pre>
 * lapwing_lnet_messages 18
 * lapwing_lnet_messages_max 341
 * lapwing_lnet_errors_total 0
 * lapwing_lnet_sent_messages_total 902113
 * lapwing_lnet_received_messages_total 902098
 * lapwing_lnet_routed_messages_total 0
 * lapwing_lnet_dropped_messages_total 3
 * lapwing_lnet_sent_bytes_total 61223344551
 * lapwing_lnet_received_bytes_total 201122334455
 * lapwing_lnet_routed_bytes_total 0
 * lapwing_lnet_dropped_bytes_total 1440
 * </pre>
 */
final class LnetStats implements Collector {

  static final String NAME = "lnet";

  private final Supplier<Path> folder;
  private final LnetTable<Counts> stats = new LnetTable<>("stats", Counts::parse);

  LnetStats(Supplier<Path> folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Cadence cadence() {
    return Cadence.MEDIUM;
  }

  @Override
  public void collect(SampleSink sink) {
    stats.read(folder.get(), sink).ifPresent(counts -> put(counts, sink));
  }

  private static void put(Counts counts, SampleSink sink) {
    put(LnetMetrics.MESSAGES, counts.messages(), sink);
    put(LnetMetrics.MESSAGES_MAX, counts.messagesMax(), sink);
    put(LnetMetrics.ERRORS, counts.errors(), sink);
    put(LnetMetrics.SENT_MESSAGES, counts.sent(), sink);
    put(LnetMetrics.RECEIVED_MESSAGES, counts.received(), sink);
    put(LnetMetrics.ROUTED_MESSAGES, counts.routed(), sink);
    put(LnetMetrics.DROPPED_MESSAGES, counts.dropped(), sink);
    put(LnetMetrics.SENT_BYTES, counts.sentBytes(), sink);
    put(LnetMetrics.RECEIVED_BYTES, counts.receivedBytes(), sink);
    put(LnetMetrics.ROUTED_BYTES, counts.routedBytes(), sink);
    put(LnetMetrics.DROPPED_BYTES, counts.droppedBytes(), sink);
  }

  private static void put(Metric metric, long unsigned, SampleSink sink) {
    double value = unsigned < 0 ? (unsigned >>> 1) * 2.0 : (double) unsigned;
    sink.add(metric, Labels.NONE, value);
  }
}
