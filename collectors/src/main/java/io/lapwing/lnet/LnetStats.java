package io.lapwing.lnet;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ParseFailure;
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
final class LnetStats {

  private final Supplier<Path> folder;
  private final LnetTable<Counts> stats = new LnetTable<>("stats", Counts::parse);

  LnetStats(Supplier<Path> folder) {
    this.folder = folder;
  }

  void collect(SampleSink sink) {
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

  /** The line of {@code stats}, in its order: messages have 32 bits, bytes 64. */
  record Counts(
      long messages,
      long messagesMax,
      long errors,
      long sent,
      long received,
      long routed,
      long dropped,
      long sentBytes,
      long receivedBytes,
      long routedBytes,
      long droppedBytes) {

    private static final int NUMBERS = 11;

    static Counts parse(String file, String text) throws ParseFailure {
      // Without a newline the last number may be truncated.
      if (!text.endsWith("\n") || text.indexOf('\n') != text.length() - 1) {
        throw new ParseFailure(file, 1, "not one whole line");
      }
      LnetLine line = LnetLine.of(file, 1, text, NUMBERS);
      return new Counts(
          line.unsigned(0),
          line.unsigned(1),
          line.unsigned(2),
          line.unsigned(3),
          line.unsigned(4),
          line.unsigned(5),
          line.unsigned(6),
          line.unsigned(7),
          line.unsigned(8),
          line.unsigned(9),
          line.unsigned(10));
    }
  }
}
