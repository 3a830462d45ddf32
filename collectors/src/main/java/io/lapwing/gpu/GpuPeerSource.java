package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlGpu;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * NVLink between GPUs: a separate source, since a call about two GPUs may hang for either.
 *
 * <pre>
 * DCGM_EXP_P2P_STATUS{gpu="0",...,link_status="OK",peer_gpu="1"} 0     nvmlDeviceGetP2PStatus
 * </pre>
 */
public final class GpuPeerSource extends FixedSource {

  public static final String COLLECTOR = "gpu_p2p";

  /** {@code nvmlGpuP2PStatus_t}, value for value, in dcgm-exporter's words. */
  private static final List<String> STATUSES =
      List.of(
          "OK",
          "ChipsetNotSupported",
          "GPUNotSupported",
          "TopologyNotSupported",
          "DisabledByRegKey",
          "NotSupported",
          "Unknown");

  /** The status rarely changes, and every pair costs a call. */
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMinutes(1);

  private final GpuContext context;
  private final NvmlDriver driver;
  private final Map<Labels, GpuLabels> labels = new HashMap<>();
  private List<GpuRoster.Known> asked = List.of();
  private List<Link> links = List.of();
  private Instant askedAt = Instant.MIN;

  private record Link(Metric metric, Labels labels, int status) {}

  public GpuPeerSource(GpuContext context) {
    super("gpu_peers", GPUS);
    add(COLLECTOR, Cadence.FAST, this::collect);
    this.context = context;
    this.driver = context.driver();
  }

  @Override
  public Access begin(List<Collector> due) {
    Optional<String> released = driver.release().why();
    if (released.isPresent()) {
      return new Access.Down(GpuRelease.REASON, released.get());
    }
    return driver.nvml().isPresent()
        ? Access.READY
        : new Access.Down("driver_not_loaded", "the driver is gone");
  }

  /** Runs more often than it queries, so that a GPU that was opened late is queried soon. */
  private void collect(SampleSink sink) {
    if (driver.release().enter(this)) {
      try {
        read(sink);
      } finally {
        driver.release().leave(this);
      }
    }
  }

  private void read(SampleSink sink) {
    List<GpuRoster.Known> known = context.roster().all();
    Instant now = context.clock().instant();
    if (isTimeToAsk(now) || !known.equals(asked)) {
      asked = known;
      askedAt = now;
      links = driver.nvml().map(nvml -> ask(open(nvml), sink)).orElse(List.of());
    }
    links.forEach(link -> sink.add(link.metric(), link.labels(), link.status()));
  }

  /** Also true after the clock was set back. */
  private boolean isTimeToAsk(Instant now) {
    return askedAt.equals(Instant.MIN)
        || now.isBefore(askedAt)
        || !now.isBefore(askedAt.plus(BETWEEN_QUESTIONS));
  }

  private List<NvmlGpu> open(Nvml nvml) {
    List<NvmlGpu> opened = new ArrayList<>();
    for (int index = 0; index < driver.gpuCount(); index++) {
      nvml.gpu(index).toOptional().ifPresent(opened::add);
    }
    return opened;
  }

  private List<Link> ask(List<NvmlGpu> gpus, SampleSink sink) {
    Metric shown = context.view().selection().shown(DcgmMetrics.EXP_P2P_STATUS);
    if (shown == null) {
      return List.of();
    }
    List<Link> answers = new ArrayList<>();
    for (NvmlGpu gpu : gpus) {
      context
          .roster()
          .at(gpu.index())
          .ifPresent(known -> ask(gpu, known, gpus, shown, answers, sink));
    }
    return List.copyOf(answers);
  }

  private void ask(
      NvmlGpu gpu,
      GpuRoster.Known known,
      List<NvmlGpu> peers,
      Metric shown,
      List<Link> answers,
      SampleSink sink) {
    for (NvmlGpu peer : peers) {
      if (peer.index() == gpu.index()) {
        continue;
      }
      Reading<Integer> reading = gpu.p2pStatus(peer);
      if (reading instanceof Reading.Present<Integer> present) {
        int status = present.value();
        answers.add(new Link(shown, labels(known, status, peer.index()), status));
      }
      sink.countFailure(reading);
    }
  }

  private Labels labels(GpuRoster.Known known, int status, int peer) {
    String word = STATUSES.get(Math.min(status, STATUSES.size() - 1));
    return labels
        .computeIfAbsent(known.own(), unseen -> new GpuLabels(known.foreign(), known.own()))
        .of(DcgmMetrics.EXP_P2P_STATUS, List.of(word, String.valueOf(peer)));
  }
}
