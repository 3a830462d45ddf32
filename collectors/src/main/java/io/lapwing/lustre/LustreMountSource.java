package io.lapwing.lustre;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Metric;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * One mounted file system as a source; with several mounts, their sums.
 *
 * <pre>
 * lapwing_lustre_mounts{fs="scratch"} 1                                              folders of llite
 * lapwing_lustre_targets{fs="scratch"} 5                                             folders of osc and mdc
 * lapwing_lustre_read_bytes_total{fs="scratch"} 1234567890                           read_bytes of stats
 * lapwing_lustre_write_bytes_total{fs="scratch"} 59453440                            write_bytes of stats
 * lapwing_lustre_operations_total{fs="scratch",operation="open"} 4201                stats
 * lapwing_lustre_operation_seconds_total{fs="scratch",operation="open"} 1.402233     stats, from 2.15 on
 * lapwing_lustre_read_ahead_pages_total{fs="scratch",event="hits"} 9120              read_ahead_stats
 * lapwing_lustre_statahead_total{fs="scratch",event="wrong"} 0                       statahead_stats
 * lapwing_lustre_cache_limit_bytes{fs="scratch"} 67354230784                         max_cached_mb
 * lapwing_lustre_cache_used_bytes{fs="scratch"} 851443712                            max_cached_mb
 * lapwing_lustre_cache_reclaims_total{fs="scratch"} 0                                max_cached_mb
 * </pre>
 */
final class LustreMountSource extends FixedSource {

  static final String COLLECTOR = "lustre_mounts";

  private final LustreFileSystem fs;
  private final LustreFiles files;
  private final Totals stats;
  private final Totals readAhead;
  private final Totals statahead;
  private final Totals reclaims;
  private Set<String> known = Set.of();

  LustreMountSource(LustreRoots roots, LustreFileSystem fs) {
    super(
        name(fs.name()),
        LustreSource.KIND,
        FILES,
        new Part(LustreSource.KIND, fs.name(), fs.labels()));
    this.fs = fs;
    this.files = new LustreFiles(roots);
    this.stats = new Totals(fs.labels());
    this.readAhead = new Totals(fs.labels());
    this.statahead = new Totals(fs.labels());
    this.reclaims = new Totals(fs.labels());
    add(COLLECTOR, Cadence.MEDIUM, this::collect);
  }

  static String name(String fs) {
    return "lustre-" + fs;
  }

  private void collect(SampleSink sink) {
    List<LustreName> mounts = fs.mounts();
    forgetAllBut(mounts);
    sink.add(LustreMetrics.MOUNTS, fs.labels(), mounts.size());
    sink.add(
        LustreMetrics.TARGETS,
        fs.labels(),
        (double) fs.targets().stream().map(LustreName::target).distinct().count());
    if (each(mounts, "stats", StatsFile::parse, true, this::ofMount, sink)) {
      stats.put(sink);
    }
    if (each(mounts, "read_ahead_stats", StatsFile::parse, false, this::ofReadAhead, sink)) {
      readAhead.put(sink);
    }
    if (each(mounts, "statahead_stats", NumberLines::parse, false, this::ofStatahead, sink)) {
      statahead.put(sink);
    }
    putCache(mounts, sink);
  }

  private void forgetAllBut(List<LustreName> mounts) {
    Set<String> now = new HashSet<>();
    mounts.forEach(mount -> now.add(mount.folder()));
    for (String gone : known) {
      if (!now.contains(gone)) {
        List.of(stats, readAhead, statahead, reclaims).forEach(totals -> totals.forget(gone));
      }
    }
    known = now;
  }

  /** Reads a file of each mount; true if any could be read. */
  private <T> boolean each(
      List<LustreName> mounts,
      String name,
      LustreFiles.Parser<T> parser,
      boolean everyClientHasIt,
      BiConsumer<T, String> what,
      SampleSink sink) {
    boolean any = false;
    for (LustreName mount : mounts) {
      Optional<T> file =
          everyClientHasIt
              ? files.read(mount.file(name), parser, sink)
              : files.readIfThere(mount.file(name), parser, sink);
      file.ifPresent(content -> what.accept(content, mount.folder()));
      any |= file.isPresent();
    }
    return any;
  }

  private void ofMount(StatsFile file, String mount) {
    StatsFile.StatsTotals.ofMount(file, mount, stats);
  }

  private void ofReadAhead(StatsFile file, String mount) {
    for (StatsFile.Counter counter : file.counters().values()) {
      readAhead.note(
          LustreMetrics.READ_AHEAD, "event", counter.name(), 1, mount, counter.count(), false);
    }
  }

  /** {@code statahead total}, {@code statahead wrong}, {@code agl total}, and more in 2.17. */
  private void ofStatahead(NumberLines file, String mount) {
    file.numbers()
        .forEach(
            (name, number) ->
                statahead.note(
                    LustreMetrics.STATAHEAD,
                    "event",
                    name.replaceFirst("^statahead[ _]", "").replace(' ', '_'),
                    1,
                    mount,
                    number,
                    false));
  }

  /** Each mount has its own pages and limit. */
  private void putCache(List<LustreName> mounts, SampleSink sink) {
    Map<Metric, Double> sums = new HashMap<>();
    boolean any =
        each(
            mounts,
            "max_cached_mb",
            NumberLines::parse,
            false,
            (file, mount) -> {
              add(sums, LustreMetrics.CACHE_LIMIT, file.get("max_cached_mb"));
              add(sums, LustreMetrics.CACHE_USED, file.get("used_mb"));
              file.get("reclaim_count")
                  .ifPresent(count -> reclaims.note(LustreMetrics.CACHE_RECLAIMS, mount, count));
            },
            sink);
    for (Metric metric : List.of(LustreMetrics.CACHE_LIMIT, LustreMetrics.CACHE_USED)) {
      Double sum = sums.get(metric);
      if (sum != null) {
        sink.add(metric, fs.labels(), sum * TargetConnections.MEBIBYTE);
      }
    }
    if (any) {
      reclaims.put(sink);
    }
  }

  private static void add(Map<Metric, Double> sums, Metric metric, OptionalDouble number) {
    number.ifPresent(one -> sums.merge(metric, one, Double::sum));
  }
}
