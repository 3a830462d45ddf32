package io.lapwing.lustre;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Lustre client of this node: starts a source for each file system and target, and exports
 *
 * <pre>
 * lapwing_lustre_client_info{version="2.15.3"} 1    version
 * lapwing_lustre_healthy 1                          health_check
 * lapwing_lustre_lbug 0                             health_check
 * lapwing_lustre_memory_used_bytes 81234567         memused
 * lapwing_lustre_memory_max_bytes 91234567          memused_max
 * lapwing_lustre_file_systems 1                     folders of llite
 * lapwing_lustre_debugfs_readable 1                 whether stats of a mount can be read
 * </pre>
 */
public final class LustreSource extends FixedSource {

  public static final String COLLECTOR = "lustre";

  /** The name of this source, and the kind of its part and those of the discovered sources. */
  static final String KIND = "lustre";

  public static final String TARGETS_COLLECTOR = TargetConnections.NAME;

  public static final String RPC_STATS_COLLECTOR = TargetRpcStats.NAME;
  public static final String LIMITS_COLLECTOR = TargetLimits.NAME;

  private static final Access NOT_LOADED =
      new Access.NothingHere("the Lustre modules are not loaded");
  private static final Pattern VERSION =
      Pattern.compile("(?:lustre: +)?([0-9]{1,4}\\.[0-9A-Za-z._+~-]{1,60})\\s*");

  private final LustreRoots roots;
  private final LustreFiles files;
  private final LustreFolders folders;
  private final LustreDiscovery discovery;
  private final Map<String, Labels> versions = new HashMap<>();
  private volatile Optional<String> unreadable = Optional.empty();

  /** The source of the client; starts the other sources in the set. */
  public LustreSource(LustreRoots roots, SourceSet sources, LustreDetail detail) {
    super(KIND, Part.whole(KIND));
    this.roots = roots;
    this.files = new LustreFiles(roots);
    this.folders = new LustreFolders(roots);
    this.discovery = new LustreDiscovery(roots, sources, detail);
    add(COLLECTOR, Cadence.MEDIUM, this::collect);
  }

  /** Why the counters of a mount cannot be read, and the remedy; else empty. For any thread. */
  public Optional<String> unreadable() {
    return unreadable;
  }

  @Override
  public Access begin(List<Collector> due) {
    boolean loaded = roots.present();
    if (loaded) {
      folders.list();
    } else {
      folders.clear();
      unreadable = Optional.empty();
    }
    discovery.update(folders.mounts(), folders.targets());
    return loaded ? Access.READY : NOT_LOADED;
  }

  /** {@code version}: {@code 2.15.3}, or {@code lustre: 2.10.8} on the first of several lines. */
  static String version(KernelText text) throws ParseFailure {
    Matcher form = VERSION.matcher(text.lines().isEmpty() ? "" : text.lines().get(0));
    if (!form.matches()) {
      throw text.failure(0, "not a version");
    }
    return form.group(1);
  }

  /** {@code health_check}, the modules' own state. */
  enum HealthCheck {
    HEALTHY,
    NOT_HEALTHY,
    /** An assertion failed: the threads that hit it are stuck until a reboot. */
    LBUG;

    static HealthCheck parse(KernelText text) throws ParseFailure {
      if (text.lines().contains("LBUG")) {
        return LBUG;
      }
      if (text.lines().contains("NOT HEALTHY")) {
        return NOT_HEALTHY;
      }
      if (text.lines().size() == 1 && text.lines().get(0).strip().equals("healthy")) {
        return HEALTHY;
      }
      throw text.failure(0, "neither healthy nor NOT HEALTHY nor LBUG");
    }
  }

  private void collect(SampleSink sink) {
    folders.failure().ifPresent(failed -> sink.failed(failed.question(), failed.reason()));
    files
        .readIfThere("version", LustreSource::version, sink)
        .ifPresent(version -> sink.add(LustreMetrics.CLIENT_INFO, labels(version), 1));
    files
        .readIfThere("health_check", HealthCheck::parse, sink)
        .ifPresent(health -> put(health, sink));
    put(LustreMetrics.MEMORY_USED, "memused", sink);
    put(LustreMetrics.MEMORY_MAX, "memused_max", sink);
    List<LustreName> mounts = folders.mounts();
    sink.add(
        LustreMetrics.FILE_SYSTEMS,
        Labels.NONE,
        (double) mounts.stream().map(LustreName::fs).distinct().count());
    if (!mounts.isEmpty()) {
      putReadable(mounts.get(0), sink);
    }
  }

  private Labels labels(String version) {
    return versions.computeIfAbsent(version, unseen -> Labels.of("version", version));
  }

  private void put(HealthCheck health, SampleSink sink) {
    sink.add(LustreMetrics.HEALTHY, Labels.NONE, health == HealthCheck.HEALTHY ? 1 : 0);
    sink.add(LustreMetrics.LBUG, Labels.NONE, health == HealthCheck.LBUG ? 1 : 0);
  }

  private void put(Metric metric, String file, SampleSink sink) {
    files.number(file, sink).ifPresent(number -> sink.add(metric, Labels.NONE, number));
  }

  private void putReadable(LustreName mount, SampleSink sink) {
    Reading<KernelText> stats = files.reading(mount.file("stats"));
    unreadable = unreadable(stats);
    sink.add(LustreMetrics.DEBUGFS_READABLE, Labels.NONE, unreadable.isPresent() ? 0 : 1);
  }

  /** A malformed file is not a matter of permissions. */
  private Optional<String> unreadable(Reading<KernelText> stats) {
    String debugfs = String.valueOf(roots.debugfs());
    if (stats.failure().filter("no_permission"::equals).isPresent()) {
      return Optional.of(
          "the counters of the Lustre client are in "
              + debugfs
              + ", which only root can read: give the agent CAP_DAC_READ_SEARCH");
    }
    return stats instanceof Reading.Missing
        ? Optional.of(
            "the counters of the Lustre client are in "
                + debugfs
                + ", which does not exist: mount debugfs, also in the agent's container")
        : Optional.empty();
  }
}
