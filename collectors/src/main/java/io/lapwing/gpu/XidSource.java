package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
 * What the {@link XidWatch} heard, as samples:
 *
 * <pre>
 * lapwing_gpu_xid_listening 1
 * DCGM_FI_DEV_XID_ERRORS{gpu="3",...} 79
 * DCGM_EXP_XID_ERRORS_COUNT{gpu="3",...,window_size_in_ms="300000",xid="79"} 1
 * lapwing_gpu_xid_errors_total{gpu="3",UUID="GPU-...",xid="79"} 1
 * lapwing_gpu_xid_last_seen_timestamp_seconds{gpu="3",UUID="GPU-...",xid="79"} 1.7e9
 * </pre>
 *
 * <p>The XIDs that call for action have a count of 0 before they come, since {@code increase()}
 * cannot see the first step of a series that begins with it.
 */
public final class XidSource implements Source {

  public static final String COLLECTOR = "gpu_xid";

  private final XidWatch watch;
  private final Xids xids;
  private final GpuRoster roster;
  private final GpuView view;
  private final Duration window;
  private final InstantSource clock;
  private final Map<Labels, GpuLabels> labels = new HashMap<>();
  private final Map<String, Labels> strangerLabels = new HashMap<>();

  /**
   * A source over a watch, which it starts when it is read for the first time.
   *
   * @param window of {@code DCGM_EXP_XID_ERRORS_COUNT}
   */
  public XidSource(
      XidWatch watch,
      Xids xids,
      GpuRoster roster,
      GpuView view,
      Duration window,
      InstantSource clock) {
    this.watch = watch;
    this.xids = xids;
    this.roster = roster;
    this.view = view;
    this.window = window;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "gpu_events";
  }

  @Override
  public List<Collector> collectors() {
    return List.of(new XidCollector());
  }

  @Override
  public Access begin(List<Collector> due) {
    watch.start();
    return Access.READY;
  }

  private final class XidCollector implements Collector {

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
      listening(sink);
      Map<String, Map<Long, Long>> recent = recent();
      for (GpuRoster.Known gpu : roster.all()) {
        String uuid = gpu.identity().uuid();
        new OneGpu(uuid, labels(gpu), sink).collect(recent.getOrDefault(uuid, Map.of()));
      }
      strangers().forEach(stranger -> new Stranger(stranger, sink).collect());
    }
  }

  /** Those that the kernel log tells of and NVML does not know, such as under a dead driver. */
  private List<String> strangers() {
    Set<String> strangers = new TreeSet<>(xids.gpus());
    roster.all().forEach(gpu -> strangers.remove(gpu.identity().uuid()));
    return List.copyOf(strangers);
  }

  /**
   * Where the listener fails or hangs, silence must not look like health; what was counted stays.
   */
  private void listening(SampleSink sink) {
    Optional<String> deaf = watch.deafness();
    sink.add(GpuMetrics.XID_LISTENING, Labels.NONE, deaf.isEmpty() ? 1 : 0);
    deaf.filter(reason -> !reason.equals(XidWatch.UNSUPPORTED))
        .ifPresent(reason -> sink.failed("nvmlEventSetWait_v2", reason));
  }

  private Map<String, Map<Long, Long>> recent() {
    Instant start = clock.instant().minus(window);
    return xids.since(start).stream()
        .collect(
            Collectors.groupingBy(
                Xids.Event::uuid,
                Collectors.groupingBy(
                    Xids.Event::number, Collectors.summingLong(Xids.Event::times))));
  }

  /** Kept per GPU, so that a series keeps its labels object. */
  private GpuLabels labels(GpuRoster.Known gpu) {
    return labels.computeIfAbsent(gpu.own(), unseen -> new GpuLabels(gpu.foreign(), gpu.own()));
  }

  private final class OneGpu {

    private final String uuid;
    private final GpuLabels gpuLabels;
    private final SampleSink sink;

    OneGpu(String uuid, GpuLabels gpuLabels, SampleSink sink) {
      this.uuid = uuid;
      this.gpuLabels = gpuLabels;
      this.sink = sink;
    }

    void collect(Map<Long, Long> recent) {
      NavigableMap<Long, Xids.Count> counts = xids.counts(uuid);
      put(
          DcgmMetrics.XID_ERRORS,
          gpuLabels.of(DcgmMetrics.XID_ERRORS),
          (double) xids.last(uuid).orElse(0));
      for (long number : numbers(counts.keySet())) {
        Xids.Count count = counts.get(number);
        if (count == null) {
          sink.add(
              GpuMetrics.XID_ERRORS,
              gpuLabels.of(GpuMetrics.XID_ERRORS, List.of(String.valueOf(number))),
              0);
        } else {
          counted(sink, gpuLabels, count);
        }
      }
      recent.forEach(this::recently);
    }

    private void recently(long number, long times) {
      List<String> values = List.of(String.valueOf(window.toMillis()), String.valueOf(number));
      put(
          DcgmMetrics.EXP_XID_ERRORS_COUNT,
          gpuLabels.of(DcgmMetrics.EXP_XID_ERRORS_COUNT, values),
          (double) times);
    }

    private void put(Metric metric, Labels own, double value) {
      Metric shown = view.selection().shown(metric);
      if (shown != null) {
        sink.add(shown, own, value);
      }
    }
  }

  /** A GPU of which nothing is known but its UUID, or its PCI address. */
  private final class Stranger {

    private final String name;
    private final SampleSink sink;

    Stranger(String name, SampleSink sink) {
      this.name = name;
      this.sink = sink;
    }

    void collect() {
      Labels own =
          strangerLabels.computeIfAbsent(name, unseen -> Labels.of("gpu", "", "UUID", unseen));
      GpuLabels gpuLabels = labels.computeIfAbsent(own, unseen -> new GpuLabels(own, own));
      xids.counts(name).values().forEach(count -> counted(sink, gpuLabels, count));
    }
  }

  private static void counted(SampleSink sink, GpuLabels gpuLabels, Xids.Count count) {
    Labels own = gpuLabels.of(GpuMetrics.XID_ERRORS, List.of(String.valueOf(count.number())));
    sink.add(GpuMetrics.XID_ERRORS, own, (double) count.times());
    sink.add(GpuMetrics.XID_LAST_SEEN, own, count.last().toEpochMilli() / 1000.0);
  }

  /** Those that call for action and those that came. */
  private Collection<Long> numbers(Set<Long> came) {
    if (came.isEmpty()) {
      return xids.expected();
    }
    Set<Long> numbers = new TreeSet<>(xids.expected());
    numbers.addAll(came);
    return numbers;
  }
}
