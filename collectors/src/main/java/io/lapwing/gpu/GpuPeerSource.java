package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlGpu;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the GPUs reach each other over NVLink. A source of its own, since a question about two
 * GPUs may hang for either.
 *
 * <pre>
 * DCGM_EXP_P2P_STATUS{gpu="0",...,link_status="OK",peer_gpu="1"} 0     nvmlDeviceGetP2PStatus
 * </pre>
 */
public final class GpuPeerSource implements Source {

  public static final String COLLECTOR = "gpu_p2p";

  /** {@code nvmlGpuP2PStatus_t}, value for value. */
  private static final List<String> STATUSES =
      List.of(
          "OK",
          "CHIPSET_NOT_SUPPORTED",
          "GPU_NOT_SUPPORTED",
          "IOH_TOPOLOGY_NOT_SUPPORTED",
          "DISABLED_BY_REGKEY",
          "NOT_SUPPORTED",
          "UNKNOWN");

  /** At the default cadence the GPUs are asked once a minute: the answer hardly ever changes. */
  private static final int RUNS_BETWEEN_QUESTIONS = 12;

  private final NvmlDriver driver;
  private final GpuRoster roster;
  private final GpuView view;
  private final Map<Labels, GpuLabels> labels = new HashMap<>();
  private List<GpuRoster.Known> asked = List.of();
  private List<Link> links = List.of();
  private int runs;

  /** An answer. */
  private record Link(Metric metric, Labels labels, int status) {}

  public GpuPeerSource(NvmlDriver driver, GpuRoster roster, GpuView view) {
    this.driver = driver;
    this.roster = roster;
    this.view = view;
  }

  @Override
  public String name() {
    return "gpu_peers";
  }

  @Override
  public List<Collector> collectors() {
    return List.of(new PeerCollector());
  }

  @Override
  public Access begin(List<Collector> due) {
    return driver.nvml().isPresent()
        ? Access.READY
        : new Access.Down("driver_not_loaded", "the driver is gone");
  }

  private final class PeerCollector implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    /** Not for the answers' sake: a GPU that was opened late, or came back, is soon among them. */
    @Override
    public Cadence cadence() {
      return Cadence.FAST;
    }

    @Override
    public void collect(SampleSink sink) {
      List<GpuRoster.Known> known = roster.all();
      if (runs++ % RUNS_BETWEEN_QUESTIONS == 0 || !known.equals(asked)) {
        asked = known;
        links = driver.nvml().map(nvml -> ask(open(nvml), sink)).orElse(List.of());
      }
      links.forEach(link -> sink.add(link.metric(), link.labels(), link.status()));
    }
  }

  private List<NvmlGpu> open(Nvml nvml) {
    List<NvmlGpu> opened = new ArrayList<>();
    for (int index = 0; index < driver.gpuCount(); index++) {
      nvml.gpu(index).toOptional().ifPresent(opened::add);
    }
    return opened;
  }

  private List<Link> ask(List<NvmlGpu> gpus, SampleSink sink) {
    List<Link> answers = new ArrayList<>();
    for (NvmlGpu gpu : gpus) {
      for (NvmlGpu peer : gpus) {
        if (peer.index() != gpu.index()) {
          Reading<Integer> status = gpu.p2pStatus(peer);
          answer(gpu.index(), peer.index(), status).ifPresent(answers::add);
          if (status instanceof Reading.Failed<Integer> failed) {
            sink.failed(failed.question(), failed.reason());
          }
        }
      }
    }
    return List.copyOf(answers);
  }

  private Optional<Link> answer(int gpu, int peer, Reading<Integer> reading) {
    Optional<Metric> shown =
        Optional.ofNullable(view.selection().shown(DcgmMetrics.EXP_P2P_STATUS));
    return roster
        .at(gpu)
        .flatMap(
            known ->
                reading
                    .toOptional()
                    .flatMap(
                        status ->
                            shown.map(
                                metric -> new Link(metric, labels(known, status, peer), status))));
  }

  private Labels labels(GpuRoster.Known known, int status, int peer) {
    String word = STATUSES.get(Math.min(status, STATUSES.size() - 1));
    return labels
        .computeIfAbsent(known.own(), unseen -> new GpuLabels(known.foreign(), known.own()))
        .of(DcgmMetrics.EXP_P2P_STATUS, List.of(word, String.valueOf(peer)));
  }
}
