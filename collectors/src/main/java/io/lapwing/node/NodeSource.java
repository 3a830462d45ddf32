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
 * The node as a source: what it is, and what it should have by that.
 *
 * <pre>
 * lapwing_node_info{hostname="...",instance_type="p5.48xlarge",instance_id="i-...",...} 1     {@link NodeIdentity}
 * lapwing_node_expected_gpus 8                                                                instances.csv
 * lapwing_simulated 0
 * </pre>
 */
public final class NodeSource implements Source {

  public static final String COLLECTOR = "node";

  /** No real sysfs has this file; every simulated one does. */
  private static final String MARKER = "lapwing_simulated";

  /** Looked at once: a real sysfs does not become a simulated one. */
  private final boolean sysfsIsSimulated;

  private final Identification identification;
  private volatile Inventory inventory;
  private final BooleanSupplier libraryIsSimulated;
  private final List<Collector> collectors;

  /**
   * The source of this node.
   *
   * @param libraryIsSimulated whether a native library in use says that it is a simulator
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

  /** What the node is, as far as is known by now. */
  public NodeIdentity identity() {
    return identification.get();
  }

  /** What it should have by that. */
  public Expectation expectation() {
    return inventory.of(identity());
  }

  /** The operator says otherwise from now on. */
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
    private Inventory asked = inventory;
    private Expectation expected = asked.of(shown);

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
      follow(identity());
      sink.add(NodeMetrics.INFO, labels, 1);
      NodeSamples.put(expected, sink);
      sink.add(NodeMetrics.SIMULATED, Labels.NONE, simulated() ? 1 : 0);
    }

    /** The identity changes once after the start, if at all; what is asked for on reload. */
    private void follow(NodeIdentity now) {
      Inventory current = inventory;
      if (!now.equals(shown) || !current.equals(asked)) {
        shown = now;
        asked = current;
        labels = NodeSamples.info(now);
        expected = current.of(now);
      }
    }
  }
}
