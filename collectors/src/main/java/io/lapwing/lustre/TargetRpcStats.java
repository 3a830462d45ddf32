package io.lapwing.lustre;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Metric;
import java.util.Map;
import java.util.Optional;

/**
 * Sizes of the requests to one target and how many are in flight, in full detail; {@link
 * LustreDiscovery.LustreSumsSource} sums them otherwise. The table of offsets describes files, not
 * the client.
 *
 * <pre>
 * lapwing_lustre_rpc_pages_bucket{fs="scratch",operation="read",le="256.0"} 131       pages per rpc
 * lapwing_lustre_rpc_concurrency_bucket{fs="scratch",operation="modify",le="2.0"} 3   rpcs in flight
 * </pre>
 */
final class TargetRpcStats {

  static final String NAME = "lustre_rpc_stats";

  /** Powers of two, as the kernel's rows, up to requests of 16 MiB. */
  private static final int[] PAGES = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};

  /** The kernel's rows are linear up to 30; the last one is open. */
  private static final int[] IN_FLIGHT = {1, 2, 3, 4, 6, 8, 12, 16, 24};

  private final LustreTargetSource source;
  private final boolean full;
  private final HistogramTotals histograms;

  TargetRpcStats(LustreTargetSource source, LustreDetail detail) {
    this.source = source;
    this.full = detail == LustreDetail.FULL;
    this.histograms = full ? new HistogramTotals(source.labels()) : source.fs().histograms();
  }

  void collect(SampleSink sink) {
    boolean read = false;
    for (TargetInstance instance : source.instances()) {
      Optional<RpcStatsFile> file =
          instance.rpcStats.note(
              source.files().read(instance.file("rpc_stats"), RpcStatsFile::parse, sink));
      if (file.isPresent()) {
        note(LustreMetrics.RPC_PAGES, PAGES, file.get().table(RpcStatsFile.PAGES), instance);
        note(
            LustreMetrics.RPC_CONCURRENCY,
            IN_FLIGHT,
            file.get().table(RpcStatsFile.IN_FLIGHT),
            instance);
        read = true;
      }
    }
    if (full && read) {
      histograms.put(sink);
    }
  }

  private void note(
      Metric metric,
      int[] bounds,
      Map<String, RpcStatsFile.RpcHistogram> columns,
      TargetInstance instance) {
    columns.forEach(
        (operation, histogram) ->
            histograms.note(
                metric,
                operation,
                bounds,
                instance.name.folder(),
                histogram,
                instance.rpcStats.late()));
  }
}
