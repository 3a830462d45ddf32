package io.lapwing.lnet;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * The node's own network interfaces, from {@code lnet/nis}.
 *
 * <pre>
 * lapwing_lnet_ni_up{nid="10.0.2.7@tcp"} 1                  status
 * lapwing_lnet_ni_tx_credits{nid="10.0.2.7@tcp"} 256        tx, summed over the CPU partitions
 * lapwing_lnet_ni_tx_credits_max{nid="10.0.2.7@tcp"} 256    max, summed over the CPU partitions
 * lapwing_lnet_ni_tx_credits_min{nid="10.0.2.7@tcp"} 201    min, minimum of the CPU partitions
 * </pre>
 */
final class LnetInterfaces implements Collector {

  private final Supplier<Path> folder;
  private final LnetTable<List<Interface>> nis = new LnetTable<>("nis", Interface::parse);
  private final NidLabels labels = new NidLabels();

  LnetInterfaces(Supplier<Path> folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return "lnet_interfaces";
  }

  @Override
  public Cadence cadence() {
    return Cadence.MEDIUM;
  }

  @Override
  public void collect(SampleSink sink) {
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
}
