package io.lapwing.node;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.linux.SysRoot;
import io.lapwing.metric.Labels;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The node as a source.
 *
 * <pre>
 * lapwing_node_info{hostname="...",instance_type="p5.48xlarge",instance_id="i-..."} 1     class/dmi/id
 * lapwing_simulated 0
 * </pre>
 */
public final class NodeSource implements Source {

  public static final String COLLECTOR = "node";

  /** No real sysfs has this file; every simulated one does. */
  private static final String MARKER = "lapwing_simulated";

  /** Looked at once: a real sysfs does not become a simulated one. */
  private final boolean sysfsIsSimulated;

  private final NodeIdentity identity;
  private final BooleanSupplier libraryIsSimulated;
  private final Labels labels;

  /**
   * The source of this node.
   *
   * @param libraryIsSimulated whether a native library in use says that it is a simulator
   */
  public NodeSource(SysRoot sys, NodeIdentity identity, BooleanSupplier libraryIsSimulated) {
    this.sysfsIsSimulated = sys.text(MARKER) instanceof Reading.Present;
    this.identity = identity;
    this.libraryIsSimulated = libraryIsSimulated;
    this.labels =
        Labels.of(
            "hostname",
            identity.hostname(),
            "instance_type",
            identity.instanceType(),
            "instance_id",
            identity.instanceId());
  }

  public NodeIdentity identity() {
    return identity;
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
    return List.of(new NodeCollector());
  }

  private final class NodeCollector implements Collector {

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
      sink.add(NodeMetrics.INFO, labels, 1);
      sink.add(NodeMetrics.SIMULATED, Labels.NONE, simulated() ? 1 : 0);
    }
  }
}
