package io.lapwing.node;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The node as a source: its identity and expected hardware.
 *
 * <pre>
 * lapwing_node_info{hostname="...",instance_type="p5.48xlarge",instance_id="i-...",...} 1     {@link NodeIdentity}
 * lapwing_node_expected_gpus 8                                                                instances.csv
 * lapwing_simulated 0
 * </pre>
 */
public final class NodeSource implements Source {

  public static final String COLLECTOR = "node";

  /** A file that every simulated sysfs has, and no real one. */
  private static final String MARKER = "lapwing_simulated";

  /** Read once: it never changes. */
  private final boolean sysfsIsSimulated;

  private final Identification identification;
  private volatile Inventory inventory;
  private final BooleanSupplier libraryIsSimulated;
  private final List<Collector> collectors;

  /**
   * The source of this node.
   *
   * @param libraryIsSimulated whether a native library in use is a simulator
   */
  public NodeSource(
      SysFs sys,
      Identification identification,
      Inventory inventory,
      BooleanSupplier libraryIsSimulated) {
    this.sysfsIsSimulated = sys.text(MARKER) instanceof Reading.Present;
    this.identification = identification;
    this.inventory = inventory;
    this.libraryIsSimulated = libraryIsSimulated;
    this.collectors = List.of(new NodeCollector());
  }

  /** The identity as known so far. */
  public NodeIdentity identity() {
    return identification.get();
  }

  /** The hardware it should have. */
  public Expectation expectation() {
    return inventory.of(identity());
  }

  /** Replaces the expectations on reload. */
  public void expect(Inventory other) {
    inventory = other;
  }

  /** Whether any part of this node is simulated. */
  public boolean simulated() {
    return sysfsIsSimulated || libraryIsSimulated.getAsBoolean();
  }

  @Override
  public String name() {
    return "node";
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  private final class NodeCollector implements Collector {

    private NodeIdentity shown = identity();
    private Labels labels = NodeSamples.info(shown);
    private Inventory used = inventory;
    private Expectation expected = used.of(shown);

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.FAST;
    }

    @Override
    public void collect(SampleSink sink) {
      update(identity());
      sink.add(NodeMetrics.INFO, labels, 1);
      NodeSamples.put(expected, sink);
      sink.add(NodeMetrics.SIMULATED, Labels.NONE, simulated() ? 1 : 0);
    }

    /** The identity changes at most once after the start, the inventory on reload. */
    private void update(NodeIdentity now) {
      Inventory current = inventory;
      if (!now.equals(shown) || !current.equals(used)) {
        shown = now;
        used = current;
        labels = NodeSamples.info(now);
        expected = current.of(now);
      }
    }
  }
}
