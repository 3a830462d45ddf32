package io.lapwing.agent.health.engine;

import io.lapwing.collect.SampleSink;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuContext;
import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuLabels;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Metric.Detail;
import io.lapwing.xid.PciAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The samples of {@link XidCounters}. Some XIDs start at 0, since {@code increase()} cannot see the
 * first step of a series that starts with it: those of {@link #FROM_ZERO}, and with the preset full
 * all that call for action and that the GPU can report. The shipped rules read findings instead.
 * {@code DCGM_EXP_XID_ERRORS_COUNT} of a GPU without an XID in the window is a 0 without the label
 * {@code xid}, as in dcgm-exporter. Not thread-safe.
 */
final class XidSamples {

  /**
   * Common hardware faults, chosen by judgement: of memory (48, 63, 64, 94, 95), NVLink (74), the
   * bus (79) and the GPU's own processor (119, 120). All that call for action are three times as
   * many.
   */
  static final Set<Long> FROM_ZERO = Set.of(48L, 63L, 64L, 74L, 79L, 94L, 95L, 119L, 120L);

  private static final Metric ZERO = GpuMetrics.XID_ERRORS.asDetail(Detail.SOME);
  private static final Metric RARE_ZERO = GpuMetrics.XID_ERRORS.asDetail(Detail.MOST);

  /** The labels of the 0 of a GPU without an XID in the window. */
  private static final Metric NONE_IN_WINDOW = withoutLastLabel(DcgmMetrics.EXP_XID_ERRORS_COUNT);

  private final XidCounters xids;
  private final GpuContext gpus;
  private final Duration window;
  private final Map<Labels, GpuLabels> labels = new HashMap<>();
  private final Map<Long, List<String>> expectedLabels = new HashMap<>();
  private final Map<String, Labels> unknownGpuLabels = new HashMap<>();

  /** {@code window} is that of {@code DCGM_EXP_XID_ERRORS_COUNT}. */
  XidSamples(XidCounters xids, GpuContext gpus, Duration window) {
    this.xids = xids;
    this.gpus = gpus;
    this.window = window;
  }

  void collect(SampleSink sink) {
    List<GpuRoster.Known> known = gpus.roster().all();
    identify(known);
    Map<String, Map<Long, Long>> recent = recent();
    Set<String> unknown = new TreeSet<>(xids.gpus());
    for (GpuRoster.Known gpu : known) {
      String uuid = gpu.identity().uuid();
      unknown.remove(uuid);
      GpuLabels own = labels(gpu.foreign(), gpu.own());
      gpu(gpu.identity(), own, sink);
      instances(uuid, own, sink);
      window(own, recent.getOrDefault(uuid, Map.of()), sink);
    }
    unknown.forEach(name -> unknownGpu(name, sink));
  }

  private void identify(List<GpuRoster.Known> known) {
    for (String name : xids.gpus()) {
      Optional<PciAddress> pci = PciAddress.parse(name);
      known.stream()
          .map(GpuRoster.Known::identity)
          .filter(gpu -> pci.isPresent() && PciAddress.parse(gpu.pciBusId()).equals(pci))
          .findFirst()
          .ifPresent(gpu -> xids.identify(name, gpu.uuid()));
    }
  }

  private Map<String, Map<Long, Long>> recent() {
    return xids.since(gpus.clock().instant().minus(window)).stream()
        .collect(
            Collectors.groupingBy(
                XidCounters.Occurrence::uuid,
                Collectors.groupingBy(
                    XidCounters.Occurrence::number,
                    Collectors.summingLong(XidCounters.Occurrence::times))));
  }

  /** Cached, so that a series keeps its labels object. */
  private GpuLabels labels(Labels foreign, Labels own) {
    return labels.computeIfAbsent(own, unseen -> new GpuLabels(foreign, own));
  }

  private void gpu(GpuIdentity gpu, GpuLabels own, SampleSink sink) {
    String uuid = gpu.uuid();
    NavigableMap<Long, XidCounters.Count> counts = xids.counts(uuid);
    put(
        sink,
        DcgmMetrics.XID_ERRORS,
        own.of(DcgmMetrics.XID_ERRORS),
        (double) xids.last(uuid).orElse(0));
    for (Long number : numbers(gpu.name(), counts.keySet())) {
      XidCounters.Count count = counts.get(number);
      if (count == null) {
        zero(number, own, sink);
      } else {
        counted(count, own, sink);
        total(List.of(String.valueOf(number)), count.times(), own, sink);
      }
    }
  }

  private void instances(String uuid, GpuLabels own, SampleSink sink) {
    Metric family = GpuMetrics.INSTANCE_XID_ERRORS;
    xids.instances(uuid)
        .forEach(
            (one, times) -> {
              List<String> values =
                  List.of(String.valueOf(one.instance()), String.valueOf(one.number()));
              sink.add(family, own.of(family, values), (double) times);
            });
  }

  private void zero(Long number, GpuLabels own, SampleSink sink) {
    List<String> label = expected(number);
    boolean common = FROM_ZERO.contains(number);
    sink.add(common ? ZERO : RARE_ZERO, own.of(GpuMetrics.XID_ERRORS, label), 0);
    if (common) {
      total(label, 0, own, sink);
    }
  }

  private void total(List<String> xid, long times, GpuLabels own, SampleSink sink) {
    Metric family = DcgmMetrics.EXP_XID_ERRORS_TOTAL;
    put(sink, family, own.of(family, xid), (double) times);
  }

  private void window(GpuLabels own, Map<Long, Long> recent, SampleSink sink) {
    recent.forEach((xid, times) -> recent(own, xid, times, sink));
    Metric shown = gpus.view().selection().shown(DcgmMetrics.EXP_XID_ERRORS_COUNT);
    if (recent.isEmpty() && shown != null) {
      sink.add(shown, own.of(NONE_IN_WINDOW, List.of(String.valueOf(window.toMillis()))), 0);
    }
  }

  private static Metric withoutLastLabel(Metric metric) {
    List<String> labels = metric.labels();
    return new Metric(
        metric.name(), metric.type(), metric.help(), labels.subList(0, labels.size() - 1));
  }

  private void recent(GpuLabels own, long number, long times, SampleSink sink) {
    List<String> values = List.of(String.valueOf(window.toMillis()), String.valueOf(number));
    put(
        sink,
        DcgmMetrics.EXP_XID_ERRORS_COUNT,
        own.of(DcgmMetrics.EXP_XID_ERRORS_COUNT, values),
        (double) times);
  }

  private void put(SampleSink sink, Metric metric, Labels own, double value) {
    Metric shown = gpus.view().selection().shown(metric);
    if (shown != null) {
      sink.add(shown, own, value);
    }
  }

  /** A GPU in the kernel log that NVML has not reported, as with a dead driver. */
  private void unknownGpu(String name, SampleSink sink) {
    Labels own =
        unknownGpuLabels.computeIfAbsent(name, unseen -> Labels.of("gpu", "", "UUID", unseen));
    GpuLabels both = labels(own, own);
    xids.counts(name).values().forEach(count -> counted(count, both, sink));
  }

  private static void counted(XidCounters.Count count, GpuLabels gpu, SampleSink sink) {
    Labels own = gpu.of(GpuMetrics.XID_ERRORS, List.of(String.valueOf(count.number())));
    sink.add(GpuMetrics.XID_ERRORS, own, (double) count.times());
    sink.add(GpuMetrics.XID_LAST_SEEN, own, count.last().toEpochMilli() / 1000.0);
  }

  /** Of the XIDs that are expected of a model, and therefore few. */
  private List<String> expected(Long number) {
    return expectedLabels.computeIfAbsent(number, unseen -> List.of(String.valueOf(unseen)));
  }

  private Collection<Long> numbers(String model, Set<Long> occurred) {
    List<Long> expected = xids.expected(model);
    if (occurred.isEmpty()) {
      return expected;
    }
    Set<Long> numbers = new TreeSet<>(expected);
    numbers.addAll(occurred);
    return numbers;
  }
}
