package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
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

  private final NvmlDriver driver;
  private final GpuRoster roster;
  private final GpuView view;
  private final Map<Labels, GpuLabels> labels = new HashMap<>();
  private List<NvmlGpu> gpus = List.of();
  private long generation;

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
    Optional<Nvml> nvml = driver.nvml();
    if (nvml.isEmpty()) {
      return new Access.Down("driver_not_loaded", "the driver is gone");
    }
    if (generation != driver.generation()) {
      generation = driver.generation();
      gpus = open(nvml.get());
    }
    return Access.READY;
  }

  private List<NvmlGpu> open(Nvml nvml) {
    List<NvmlGpu> opened = new ArrayList<>();
    for (int index = 0; index < driver.gpuCount(); index++) {
      nvml.gpu(index).toOptional().ifPresent(opened::add);
    }
    return List.copyOf(opened);
  }

  private final class PeerCollector implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.SLOW;
    }

    @Override
    public void collect(SampleSink sink) {
      for (NvmlGpu gpu : gpus) {
        roster.at(gpu.index()).ifPresent(known -> peers(gpu, known, sink));
      }
    }
  }

  private void peers(NvmlGpu gpu, GpuRoster.Known known, SampleSink sink) {
    for (NvmlGpu peer : gpus) {
      if (peer.index() != gpu.index()) {
        put(gpu.p2pStatus(peer), known, peer.index(), sink);
      }
    }
  }

  private void put(Reading<Integer> status, GpuRoster.Known known, int peer, SampleSink sink) {
    GpuLabels own =
        labels.computeIfAbsent(known.own(), unseen -> new GpuLabels(known.foreign(), known.own()));
    String word = STATUSES.get(Math.min(status.toOptional().orElse(0), STATUSES.size() - 1));
    view.selection()
        .shown(DcgmMetrics.EXP_P2P_STATUS)
        .ifPresent(
            shown ->
                sink.put(
                    shown,
                    own.of(DcgmMetrics.EXP_P2P_STATUS, List.of(word, String.valueOf(peer))),
                    status));
  }
}
