package io.lapwing.lustre;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The sums over the targets of one file system, in {@link LustreDetail#SUMMARY}.
 *
 * <pre>
 * lapwing_lustre_rpc_operations_total{fs="scratch",operation="ost_read"} 61011              stats of osc and mdc
 * lapwing_lustre_rpc_operation_seconds_total{fs="scratch",operation="ost_read"} 61.223344   stats of osc and mdc
 * lapwing_lustre_rpc_bytes_total{fs="scratch",operation="read"} 201122334455                stats of osc and mdc
 * lapwing_lustre_rpc_pages_bucket{fs="scratch",operation="read",le="256.0"} 131             rpc_stats
 * lapwing_lustre_rpc_concurrency_count{fs="scratch",operation="read"} 3631                  rpc_stats
 * </pre>
 *
 * It reads no file. It is started when every target was read once or failed, so that the first
 * scrape has complete sums, and runs after them in their lane, so that sums are of this round.
 */
final class LustreSumsSource implements Source {

  private final String fs;
  private final List<Collector> collectors;

  LustreSumsSource(LustreFileSystem fs) {
    this.fs = fs.name();
    this.collectors =
        List.of(
            new Sums(TargetConnections.NAME, fs.totals()::put),
            new Sums(TargetRpcStats.NAME, fs.histograms()::put));
  }

  static String name(String fs) {
    return "lustre-sums-" + fs;
  }

  @Override
  public String name() {
    return name(fs);
  }

  @Override
  public Optional<String> parent() {
    return Optional.of(LustreSource.KIND);
  }

  @Override
  public String lane() {
    return LustreTargetSource.LANE;
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  private record Sums(String name, Consumer<SampleSink> put) implements Collector {

    @Override
    public Cadence cadence() {
      return Cadence.MEDIUM;
    }

    @Override
    public void collect(SampleSink sink) {
      put.accept(sink);
    }
  }
}
