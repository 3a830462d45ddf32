package io.lapwing.lustre;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The capacity of one file system (from llite) and of its targets (from osc and mdc).
 *
 * <pre>
 * lapwing_lustre_size_bytes{fs="scratch"} 1238...                               kbytestotal
 * lapwing_lustre_free_bytes{fs="scratch"} 1012...                               kbytesfree
 * lapwing_lustre_available_bytes{fs="scratch"} 1012...                          kbytesavail
 * lapwing_lustre_files{fs="scratch"} 430405497                                  filestotal
 * lapwing_lustre_files_free{fs="scratch"} 430405267                             filesfree
 * lapwing_lustre_target_size_bytes{fs="scratch",target="OST0000"} 4830...       kbytestotal
 * lapwing_lustre_target_available_bytes{fs="scratch",target="OST0000"} 4828...  kbytesavail
 * </pre>
 *
 * Reading these files queries the servers, so they are a separate source and read only while the
 * servers can reply: a file system while all targets are connected or idle, a target while it is
 * connected, since a query would wake an idle one.
 */
final class LustreCapacitySource extends FixedSource {

  static final String COLLECTOR = "lustre_capacity";

  private static final double KIBIBYTE = 1024;

  private final LustreFileSystem fs;
  private final LustreFiles files;
  private final Map<String, Labels> targetLabels = new HashMap<>();

  LustreCapacitySource(LustreRoots roots, LustreFileSystem fs) {
    super(name(fs.name()), LustreSource.KIND, FILES);
    this.fs = fs;
    this.files = new LustreFiles(roots);
    add(COLLECTOR, Cadence.SLOW, this::collect);
  }

  static String name(String fs) {
    return "lustre-capacity-" + fs;
  }

  /** All mounts of a file system or target report the same values. */
  private void collect(SampleSink sink) {
    Map<String, LustreName> full = new LinkedHashMap<>();
    boolean allHealthy = true;
    for (LustreName target : fs.targets()) {
      Optional<ImportState> state = state(target);
      allHealthy &= state.filter(ImportState::healthy).isPresent();
      state
          .filter(ImportState.FULL::equals)
          .ifPresent(connected -> full.put(target.target(), target));
    }
    List<LustreName> mounts = fs.mounts();
    if (allHealthy && !mounts.isEmpty()) {
      put(mounts.get(mounts.size() - 1), sink);
    }
    full.values().forEach(target -> putTarget(target, sink));
  }

  /** Failures are reported by the target's own source. */
  private Optional<ImportState> state(LustreName target) {
    String parameter = target.file("import");
    return files.reading(parameter).toOptional().flatMap(text -> state(parameter, text));
  }

  private Optional<ImportState> state(String parameter, KernelText text) {
    try {
      return files.parsed(parameter, text, ImportFile::parse).flatMap(ImportFile::state);
    } catch (ParseFailure reportedByItsOwnSource) {
      return Optional.empty();
    }
  }

  private void put(LustreName mount, SampleSink sink) {
    put(LustreMetrics.SIZE, mount, "kbytestotal", KIBIBYTE, fs.labels(), sink);
    put(LustreMetrics.FREE, mount, "kbytesfree", KIBIBYTE, fs.labels(), sink);
    put(LustreMetrics.AVAILABLE, mount, "kbytesavail", KIBIBYTE, fs.labels(), sink);
    put(LustreMetrics.FILES, mount, "filestotal", 1, fs.labels(), sink);
    put(LustreMetrics.FILES_FREE, mount, "filesfree", 1, fs.labels(), sink);
  }

  private void putTarget(LustreName target, SampleSink sink) {
    Labels labels =
        targetLabels.computeIfAbsent(target.target(), name -> fs.labels().with("target", name));
    put(LustreMetrics.TARGET_SIZE, target, "kbytestotal", KIBIBYTE, labels, sink);
    put(LustreMetrics.TARGET_AVAILABLE, target, "kbytesavail", KIBIBYTE, labels, sink);
  }

  private void put(
      Metric metric, LustreName where, String file, double unit, Labels labels, SampleSink sink) {
    files
        .number(where.file(file), sink)
        .ifPresent(number -> sink.add(metric, labels, number * unit));
  }
}
