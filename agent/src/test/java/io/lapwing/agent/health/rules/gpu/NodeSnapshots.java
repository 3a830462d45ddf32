package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeFacts.ExpectedHardware;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Views of nodes: a healthy one with eight H100, without faults and with all values that rules
 * read, then changed.
 */
public final class NodeSnapshots {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static final ExpectedHardware P5 = expecting(18, 81_559);

  private final Map<Integer, Map<Metric, Map<List<String>, Double>>> values = new HashMap<>();
  private final Map<Integer, PartStatus.State> states = new HashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private Optional<ExpectedHardware> hardware = Optional.of(P5);
  private OptionalInt expectedGpus = OptionalInt.of(8);
  private OptionalInt pciGpus = OptionalInt.of(8);
  private DriverStatus driver = new DriverStatus.Up("570.133.20", 8);

  private NodeSnapshots() {}

  private static ExpectedHardware expecting(int links, long mebibytes) {
    return new ExpectedHardware(
        8, "NVIDIA H100 80GB HBM3", links, mebibytes, OptionalInt.of(32), OptionalInt.of(100));
  }

  public static NodeSnapshots healthy() {
    NodeSnapshots node = new NodeSnapshots();
    IntStream.range(0, 8).forEach(node::healthyGpu);
    return node;
  }

  /** A node without data. */
  static NodeSnapshots bare() {
    NodeSnapshots node = new NodeSnapshots().unknownType().noPciBus();
    node.expectedGpus = OptionalInt.empty();
    node.driver = new DriverStatus.Absent("no NVIDIA driver library");
    return node;
  }

  static String uuid(int gpu) {
    return "GPU-" + gpu;
  }

  private void healthyGpu(int gpu) {
    states.put(gpu, PartStatus.State.ANSWERS);
    value(gpu, DcgmMetrics.ECC_CURRENT, 1);
    value(gpu, DcgmMetrics.ECC_PENDING, 1);
    value(gpu, DcgmMetrics.ECC_SBE_VOL_TOTAL, 3);
    value(gpu, DcgmMetrics.ECC_SBE_AGG_TOTAL, 120);
    value(gpu, DcgmMetrics.ECC_DBE_VOL_TOTAL, 0);
    value(gpu, DcgmMetrics.ECC_DBE_AGG_TOTAL, 2);
    value(gpu, DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, 2);
    value(gpu, DcgmMetrics.CORRECTABLE_REMAPPED_ROWS, 0);
    value(gpu, DcgmMetrics.ROW_REMAP_FAILURE, 0);
    value(gpu, DcgmMetrics.ROW_REMAP_PENDING, 0);
    value(gpu, DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW, 0);
    value(gpu, DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE, 0);
    value(gpu, DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG, 0);
    value(gpu, DcgmMetrics.THRESHOLD_SRM, 0);
    value(gpu, DcgmMetrics.INFOROM_CONFIG_VALID, 1);
    value(gpu, DcgmMetrics.FB_TOTAL, 81_559);
    value(gpu, GpuMetrics.SRAM_ECC_ERRORS, 1, "uncorrected_parity", "aggregate");
    value(gpu, GpuMetrics.SRAM_ECC_ERRORS, 0, "uncorrected_secded", "aggregate");
    value(gpu, DcgmMetrics.GET_GPU_RECOVERY_ACTION, 0);
    value(gpu, DcgmMetrics.MIG_MODE, 0);
    value(gpu, DcgmMetrics.GPU_UTIL, 98);
    value(gpu, DcgmMetrics.PSTATE, 0);
    value(gpu, DcgmMetrics.SM_CLOCK, 1_980);
    value(gpu, DcgmMetrics.MEM_CLOCK, 2_619);
    value(gpu, DcgmMetrics.ENFORCED_POWER_LIMIT, 700);
    value(gpu, GpuMetrics.NVLINK_TX_BYTES, 1e15);
    value(gpu, DcgmMetrics.GPU_TEMP, 52);
    value(gpu, DcgmMetrics.SLOWDOWN_TEMP, 87);
    value(gpu, DcgmMetrics.GPU_TEMP_LIMIT, 36);
    value(gpu, GpuMetrics.TEMPERATURE_LIMIT_MARGIN, -2, "slowdown");
    for (String reason :
        List.of("gpu_idle", "power_cap", "hw_slowdown", "hw_thermal", "hw_power_brake")) {
      value(gpu, GpuMetrics.CLOCK_EVENT_ACTIVE, 0, reason);
    }
    value(gpu, DcgmMetrics.PCIE_LINK_GEN, 5);
    value(gpu, DcgmMetrics.PCIE_MAX_LINK_GEN, 5);
    value(gpu, DcgmMetrics.PCIE_LINK_WIDTH, 16);
    value(gpu, DcgmMetrics.PCIE_MAX_LINK_WIDTH, 16);
    value(gpu, DcgmMetrics.PCIE_REPLAY_COUNTER, 0);
    value(gpu, GpuMetrics.NVLINKS, 18);
    value(gpu, GpuMetrics.NVLINKS_UP, 18);
    value(gpu, GpuMetrics.NVSWITCH_LINKS, 18);
    IntStream.range(0, 18)
        .forEach(link -> value(gpu, GpuMetrics.NVLINK_UP, 1, String.valueOf(link)));
    value(gpu, DcgmMetrics.NVLINK_ERROR_DL_CRC, 0);
    value(gpu, DcgmMetrics.FABRIC_MANAGER_STATUS, 3);
    value(gpu, DcgmMetrics.FABRIC_MANAGER_ERROR_CODE, 0);
    // 2 in each field of two bits, 1 for the configuration, 1 for the partition: all is well.
    value(gpu, DcgmMetrics.FABRIC_HEALTH_MASK, 0x11aa);
    value(gpu, DcgmMetrics.FABRIC_HEALTH_SUMMARY, 1);
  }

  public NodeSnapshots value(int gpu, Metric metric, double value, String... labels) {
    values
        .computeIfAbsent(gpu, index -> new HashMap<>())
        .computeIfAbsent(metric, name -> new HashMap<>())
        .put(List.of(labels), value);
    return this;
  }

  public NodeSnapshots without(int gpu, Metric... metrics) {
    values.getOrDefault(gpu, Map.of()).keySet().removeAll(List.of(metrics));
    return this;
  }

  NodeSnapshots withoutAnywhere(Metric... metrics) {
    values.keySet().forEach(gpu -> without(gpu, metrics));
    return this;
  }

  /** A GPU that is not GONE but was never seen. */
  public NodeSnapshots unseen(int gpu) {
    states.remove(gpu);
    return this;
  }

  NodeSnapshots unseen() {
    states.clear();
    return this;
  }

  public NodeSnapshots state(int gpu, PartStatus.State state) {
    states.put(gpu, state);
    return this;
  }

  public NodeSnapshots links(int gpu, Predicate<Integer> up) {
    List<Integer> links = IntStream.range(0, 18).boxed().toList();
    links.forEach(
        link -> value(gpu, GpuMetrics.NVLINK_UP, up.test(link) ? 1 : 0, String.valueOf(link)));
    return value(gpu, GpuMetrics.NVLINKS_UP, (double) links.stream().filter(up).count());
  }

  NodeSnapshots grew(int gpu, Metric counter, double by, String... labels) {
    growth.put(List.of("gpu:" + uuid(gpu), counter, List.of(labels)), by);
    return this;
  }

  /** As {@link #grew}, for one window only. */
  NodeSnapshots grewWithin(int gpu, Metric counter, Duration window, double by) {
    growth.put(List.of("gpu:" + uuid(gpu), counter, List.of(), window), by);
    return this;
  }

  NodeSnapshots happened(Event event) {
    events.add(event);
    return this;
  }

  public NodeSnapshots driver(DriverStatus now) {
    driver = now;
    return this;
  }

  public NodeSnapshots expectedGpus(int gpus) {
    expectedGpus = OptionalInt.of(gpus);
    return this;
  }

  NodeSnapshots nothingExpected() {
    expectedGpus = OptionalInt.empty();
    return this;
  }

  public NodeSnapshots pciGpus(int gpus) {
    pciGpus = OptionalInt.of(gpus);
    return this;
  }

  NodeSnapshots noPciBus() {
    pciGpus = OptionalInt.empty();
    return this;
  }

  NodeSnapshots nvlinksExpected(int links) {
    hardware = Optional.of(expecting(links, P5.gpuMemoryMiB()));
    return this;
  }

  NodeSnapshots memoryExpected(long mebibytes) {
    hardware = Optional.of(expecting(P5.nvlinksPerGpu(), mebibytes));
    return this;
  }

  NodeSnapshots unknownType() {
    hardware = Optional.empty();
    return this;
  }

  public NodeSnapshot view() {
    return new NodeSnapshot(
        NOW,
        new NodeFacts(
            "node-1", "p5.48xlarge", "i-0", hardware, expectedGpus, OptionalInt.empty(), pciGpus),
        driver,
        NodeSnapshot.AgentStatus.ALL_AVAILABLE,
        states.keySet().stream().sorted(Comparator.naturalOrder()).map(this::gpu).toList(),
        List.of(),
        new History(events),
        this::increase);
  }

  private GpuStatus gpu(int index) {
    PartStatus.State state = states.getOrDefault(index, PartStatus.State.GONE);
    Map<Metric, Map<List<String>, Double>> readings =
        state == PartStatus.State.ANSWERS ? values.getOrDefault(index, Map.of()) : Map.of();
    Values now = metric -> readings.getOrDefault(metric, Map.of());
    return new GpuStatus(uuid(index), index, "0000:5" + index + ":00", state, now);
  }

  private OptionalDouble increase(String gpu, Metric metric, List<String> labels, Duration window) {
    if (window.compareTo(Trends.LONGEST) > 0) {
      throw new IllegalArgumentException("nobody watches for " + window);
    }
    Double by =
        growth.getOrDefault(
            List.of(gpu, metric, labels, window), growth.get(List.of(gpu, metric, labels)));
    return by == null ? OptionalDouble.empty() : OptionalDouble.of(by);
  }
}
