package io.lapwing.node;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.node.Inventory.Expectation;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The node as a source: its identity and expected hardware.
 *
 * <pre>
 * lapwing_node_info{hostname="...",instance_type="p5.48xlarge",instance_id="i-...",...} 1     {@link NodeIdentity}
 * lapwing_node_expected_gpus 8                                                                instances.csv
 * lapwing_simulated 0
 * </pre>
 */
public final class NodeSource extends FixedSource {

  public static final String COLLECTOR = "node";

  /** A file that every simulated sysfs has, and no real one. */
  private static final String MARKER = "lapwing_simulated";

  /** Until the platform is known, it is looked for once a minute at the usual cadence. */
  private static final int PLATFORM_ROUNDS = 12;

  private static final List<String> NO_DOMAIN = List.of("", "");

  /** Read once: it never changes. */
  private final boolean sysfsIsSimulated;

  private final Identification identification;
  private volatile Inventory inventory;
  private final BooleanSupplier libraryIsSimulated;
  private final Supplier<Platform.Found> platformProbe;
  private final Supplier<List<String>> domain;
  private volatile Platform.Found platform = Platform.Found.UNKNOWN;
  private int rounds;
  private NodeIdentity shown;
  private List<String> shownDomain = NO_DOMAIN;
  private Labels labels;
  private Inventory used;
  private Expectation expected;

  /** The source of this node, of an unknown platform. */
  public NodeSource(
      SysFs sys,
      Identification identification,
      Inventory inventory,
      BooleanSupplier libraryIsSimulated) {
    this(
        sys,
        identification,
        inventory,
        libraryIsSimulated,
        () -> Platform.Found.UNKNOWN,
        () -> NO_DOMAIN);
  }

  /**
   * The source of this node; {@code libraryIsSimulated} is about native libraries, {@code
   * platformProbe} reads a few files, {@code domain} has the cluster UUID and the clique that the
   * GPUs report, empty outside of an NVLink domain.
   */
  public NodeSource(
      SysFs sys,
      Identification identification,
      Inventory inventory,
      BooleanSupplier libraryIsSimulated,
      Supplier<Platform.Found> platformProbe,
      Supplier<List<String>> domain) {
    super("node");
    this.platformProbe = platformProbe;
    this.domain = domain;
    add(COLLECTOR, Cadence.FAST, this::collect);
    this.sysfsIsSimulated = sys.text(MARKER) instanceof Reading.Present;
    this.identification = identification;
    this.inventory = inventory;
    this.libraryIsSimulated = libraryIsSimulated;
    this.shown = identity();
    this.labels = NodeSamples.info(shown, shownDomain);
    this.used = inventory;
    this.expected = used.of(shown);
  }

  public NodeIdentity identity() {
    return identification.get();
  }

  public Expectation expectation() {
    return inventory.of(identity());
  }

  /** Replaces the expectations on reload. */
  public void expect(Inventory other) {
    inventory = other;
  }

  public boolean simulated() {
    return sysfsIsSimulated || libraryIsSimulated.getAsBoolean();
  }

  /** Unknown until the services of a booting node are up. */
  public Platform.Found platform() {
    return platform;
  }

  private void collect(SampleSink sink) {
    if (platform.platform().isEmpty() && rounds++ % PLATFORM_ROUNDS == 0) {
      platform = platformProbe.get();
    }
    update(identity(), domain.get());
    sink.add(NodeMetrics.INFO, labels, 1);
    NodeSamples.put(expected, sink);
    sink.add(NodeMetrics.SIMULATED, Labels.NONE, simulated() ? 1 : 0);
  }

  /** The identity and the domain are known after the start, the inventory changes on reload. */
  private void update(NodeIdentity now, List<String> joined) {
    Inventory current = inventory;
    if (!now.equals(shown) || !current.equals(used) || !joined.equals(shownDomain)) {
      shown = now;
      shownDomain = joined;
      used = current;
      labels = NodeSamples.info(now, joined);
      expected = current.of(now);
    }
  }

  /** Identity and expected hardware of a node as samples; unknown values have none. */
  static final class NodeSamples {

    private static final double MEBIBYTE = 1024.0 * 1024;
    private static final double BYTES_PER_GIGABIT = 1e9 / 8;
    private static final double TERA = 1e12;
    private static final Labels BF16 = Labels.of("precision", "bf16");
    private static final Labels FP8 = Labels.of("precision", "fp8");

    private NodeSamples() {}

    /** The labels of {@code lapwing_node_info}. */
    static Labels info(NodeIdentity node, List<String> domain) {
      return new Labels(
          NodeMetrics.INFO.labels(),
          List.of(
              node.hostname(),
              node.instanceType().text(),
              node.instanceId().text(),
              node.placement().region(),
              node.placement().availabilityZone(),
              node.placement().availabilityZoneId(),
              node.placement().lifecycle(),
              domain.get(0),
              domain.get(1)));
    }

    static void put(Expectation expected, SampleSink sink) {
      put(NodeMetrics.EXPECTED_GPUS, Labels.NONE, expected.gpus(), 1, sink);
      put(NodeMetrics.EXPECTED_EFA_DEVICES, Labels.NONE, expected.efaDevices(), 1, sink);
      expected.type().ifPresent(type -> put(type, sink));
    }

    private static void put(InstanceType type, SampleSink sink) {
      sink.add(NodeMetrics.EXPECTED_GPU_MEMORY, Labels.NONE, type.gpuMemoryMiB() * MEBIBYTE);
      sink.add(NodeMetrics.EXPECTED_NVLINKS, Labels.NONE, type.nvlinksPerGpu());
      put(NodeMetrics.EXPECTED_EFA_SPEED, Labels.NONE, type.efaGbps(), BYTES_PER_GIGABIT, sink);
      put(NodeMetrics.PEAK_FLOPS, BF16, type.bf16Teraflops(), TERA, sink);
      put(NodeMetrics.PEAK_FLOPS, FP8, type.fp8Teraflops(), TERA, sink);
    }

    private static void put(
        Metric metric, Labels labels, OptionalInt value, double unit, SampleSink sink) {
      value.ifPresent(number -> sink.add(metric, labels, number * unit));
    }
  }
}
