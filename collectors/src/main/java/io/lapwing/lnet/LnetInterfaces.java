package io.lapwing.lnet;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ParseFailure;
import io.lapwing.metric.Labels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The node's own network interfaces, from {@code lnet/nis}, over all CPU partitions.
 *
 * <pre>
 * lapwing_lnet_ni_up{nid="10.0.2.7@tcp"} 1                  status
 * lapwing_lnet_ni_tx_credits{nid="10.0.2.7@tcp"} 256        tx, summed over the CPU partitions
 * lapwing_lnet_ni_tx_credits_max{nid="10.0.2.7@tcp"} 256    max, summed over the CPU partitions
 * lapwing_lnet_ni_tx_credits_min{nid="10.0.2.7@tcp"} 201    min, minimum of the CPU partitions
 * </pre>
 */
final class LnetInterfaces {

  private final Supplier<Path> folder;
  private final LnetTable<List<Interface>> nis = new LnetTable<>("nis", Interface::parse);
  private final LnetMetrics.NidLabels labels = new LnetMetrics.NidLabels();

  LnetInterfaces(Supplier<Path> folder) {
    this.folder = folder;
  }

  void collect(SampleSink sink) {
    nis.read(folder.get(), sink).ifPresent(interfaces -> put(interfaces, sink));
  }

  private void put(List<Interface> interfaces, SampleSink sink) {
    labels.keep(interfaces.stream().map(Interface::nid).toList());
    for (Interface ni : interfaces) {
      Labels nid = labels.of(ni.nid());
      sink.add(LnetMetrics.NI_UP, nid, ni.up() ? 1 : 0);
      sink.add(LnetMetrics.NI_TX_CREDITS, nid, (double) ni.credits());
      sink.add(LnetMetrics.NI_TX_CREDITS_MAX, nid, (double) ni.creditsMax());
      sink.add(LnetMetrics.NI_TX_CREDITS_MIN, nid, ni.creditsMin());
    }
  }

  /**
   * A network interface of this node: all its lines in {@code nis}, one per CPU partition.
   *
   * @param nid {@code 10.0.2.7@tcp}
   * @param credits sum over all partitions
   * @param creditsMax sum over all partitions
   * @param creditsMin minimum over all partitions
   */
  record Interface(String nid, boolean up, long credits, long creditsMax, int creditsMin) {

    private static final String HEADER = "nid status alive refs peer rtr max tx min";

    /** The loopback interface: always up, without credits. */
    private static final String LOOPBACK = "@lo";

    static List<Interface> parse(String file, String text) throws ParseFailure {
      Map<String, Interface> byNid = new LinkedHashMap<>();
      for (LnetLine row : LnetLine.table(file, text, HEADER)) {
        Interface partition = of(row);
        if (!partition.nid.endsWith(LOOPBACK)) {
          byNid.merge(partition.nid, partition, Interface::and);
        }
      }
      return new ArrayList<>(byNid.values());
    }

    private static Interface of(LnetLine row) throws ParseFailure {
      return new Interface(
          row.nid(0), row.either(1, "up", "down"), row.signed(7), row.signed(6), row.signed(8));
    }

    private Interface and(Interface partition) {
      return new Interface(
          nid,
          up && partition.up,
          credits + partition.credits,
          creditsMax + partition.creditsMax,
          Math.min(creditsMin, partition.creditsMin));
    }
  }
}
