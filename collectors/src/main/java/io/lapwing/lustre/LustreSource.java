package io.lapwing.lustre;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.KernelText;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The Lustre client of this node as a source. It finds the file systems that are mounted and their
 * targets, starts a source for each of them, and shows
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
public final class LustreSource implements Source {

  public static final String COLLECTOR = "lustre";

  /** Name of this source, and kind of its part and of those of the sources that it discovers. */
  static final String KIND = "lustre";

  /** The collectors of targets, and of their sums. */
  public static final String TARGETS_COLLECTOR = TargetConnections.NAME;

  public static final String RPC_STATS_COLLECTOR = TargetRpcStats.NAME;
  public static final String LIMITS_COLLECTOR = TargetLimits.NAME;

  private static final Access NOT_LOADED =
      new Access.NothingHere("the modules of Lustre are not loaded");

  private final LustreRoots roots;
  private final LustreFiles files;
  private final SourceSet sources;
  private final LustreDetail detail;
  private final Map<String, Labels> versions = new HashMap<>();
  private final Map<String, Mounted> mounted = new TreeMap<>();
  private List<LustreName> mounts = List.of();
  private List<LustreName> targets = List.of();
  private Optional<Reading.Failed<?>> unlisted = Optional.empty();
  private volatile Optional<String> blindness = Optional.empty();

  /** A file system with the names of its targets that are being read. */
  private record Mounted(LustreFileSystem fs, Set<String> targets) {}

  /**
   * The source of the client.
   *
   * @param sources where the sources of file systems and targets are started and stopped
   */
  public LustreSource(LustreRoots roots, SourceSet sources, LustreDetail detail) {
    this.roots = roots;
    this.files = new LustreFiles(roots);
    this.sources = sources;
    this.detail = detail;
  }

  @Override
  public String name() {
    return KIND;
  }

  @Override
  public Optional<Part> part() {
    return Optional.of(Part.whole(KIND));
  }

  @Override
  public List<Collector> collectors() {
    return List.of(new ClientCollector());
  }

  /**
   * Why the counters cannot be read though a file system is mounted, and what helps; empty while
   * they can. May be asked by anybody.
   */
  public Optional<String> blindness() {
    return blindness;
  }

  @Override
  public Access begin(List<Collector> due) {
    if (!roots.present()) {
      mounts = List.of();
      targets = List.of();
      follow();
      blindness = Optional.empty();
      return NOT_LOADED;
    }
    look();
    follow();
    return Access.READY;
  }

  /** A folder that cannot be listed takes nothing away. */
  private void look() {
    Reading<Set<String>> llite = roots.folders(LustreName.MOUNTS);
    Reading<Set<String>> osc = roots.folders(LustreName.OSC);
    Reading<Set<String>> mdc = roots.folders(LustreName.MDC);
    unlisted = Optional.empty();
    for (Reading<Set<String>> one : List.of(llite, osc, mdc)) {
      if (one instanceof Reading.Failed<?> failed) {
        unlisted = Optional.of(failed);
        return;
      }
    }
    mounts = inOrder(mounts, names(llite, LustreName::mount));
    Set<LustreName> found = names(osc, LustreName::target);
    found.addAll(names(mdc, LustreName::target));
    targets = inOrder(targets, found);
  }

  private static Set<LustreName> names(
      Reading<Set<String>> folders, Function<String, Optional<LustreName>> form) {
    Set<LustreName> names = new TreeSet<>(Comparator.comparing(LustreName::folder));
    folders
        .toOptional()
        .ifPresent(all -> all.forEach(name -> form.apply(name).ifPresent(names::add)));
    return names;
  }

  /** Those that were there before first, so that the newest mount is the last. */
  private static List<LustreName> inOrder(List<LustreName> before, Set<LustreName> now) {
    List<LustreName> all = new ArrayList<>(before);
    all.retainAll(now);
    now.stream().filter(one -> !before.contains(one)).forEach(all::add);
    return List.copyOf(all);
  }

  private void follow() {
    Set<String> names = new TreeSet<>();
    mounts.forEach(mount -> names.add(mount.fs()));
    targets.forEach(target -> names.add(target.fs()));
    List.copyOf(mounted.keySet()).stream().filter(fs -> !names.contains(fs)).forEach(this::stop);
    names.forEach(this::follow);
  }

  private void follow(String name) {
    boolean unknown = !mounted.containsKey(name);
    Mounted one = mounted.computeIfAbsent(name, this::mounted);
    List<LustreName> ofIt = targets.stream().filter(target -> target.fs().equals(name)).toList();
    one.fs().found(mounts.stream().filter(mount -> mount.fs().equals(name)).toList(), ofIt);
    if (unknown) {
      sources.add(new LustreMountSource(roots, one.fs()));
      sources.add(new LustreCapacitySource(roots, one.fs()));
    } else {
      one.fs().waitedLongEnough();
    }
    Set<String> now = new TreeSet<>();
    ofIt.forEach(target -> now.add(target.target()));
    for (String target : now) {
      if (one.targets().add(target)) {
        sources.add(new LustreTargetSource(roots, one.fs(), target, detail));
      }
    }
    for (String gone : Set.copyOf(one.targets())) {
      if (!now.contains(gone)) {
        sources.remove(LustreTargetSource.name(name, gone));
        one.targets().remove(gone);
      }
    }
  }

  private Mounted mounted(String name) {
    return new Mounted(new LustreFileSystem(name, this::sumUp), new HashSet<>());
  }

  private void sumUp(LustreFileSystem fs) {
    if (detail == LustreDetail.SUMMARY) {
      sources.add(new LustreSumsSource(fs));
    }
  }

  private void stop(String name) {
    Mounted gone = mounted.remove(name);
    if (gone != null) {
      gone.fs().gone();
      gone.targets().forEach(target -> sources.remove(LustreTargetSource.name(name, target)));
      sources.remove(LustreMountSource.name(name));
      sources.remove(LustreSumsSource.name(name));
      sources.remove(LustreCapacitySource.name(name));
    }
  }

  private final class ClientCollector implements Collector {

    @Override
    public String name() {
      return COLLECTOR;
    }

    @Override
    public Cadence cadence() {
      return Cadence.MEDIUM;
    }

    @Override
    public void collect(SampleSink sink) {
      unlisted.ifPresent(failed -> sink.failed(failed.question(), failed.reason()));
      files
          .readIfThere("version", ClientVersion::parse, sink)
          .ifPresent(version -> sink.add(LustreMetrics.CLIENT_INFO, labels(version), 1));
      files
          .readIfThere("health_check", HealthCheck::parse, sink)
          .ifPresent(health -> put(health, sink));
      put(LustreMetrics.MEMORY_USED, "memused", sink);
      put(LustreMetrics.MEMORY_MAX, "memused_max", sink);
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
      blindness = blindness(stats);
      sink.add(LustreMetrics.DEBUGFS_READABLE, Labels.NONE, blindness.isPresent() ? 0 : 1);
    }
  }

  /** A file that is there and broken is no matter of rights. */
  private Optional<String> blindness(Reading<KernelText> stats) {
    String debugfs = String.valueOf(roots.debugfs());
    if (stats.failure().filter("no_permission"::equals).isPresent()) {
      return Optional.of(
          "the counters of the Lustre client lie in "
              + debugfs
              + ", which only root may read: give the agent CAP_DAC_READ_SEARCH");
    }
    return stats instanceof Reading.Missing
        ? Optional.of(
            "the counters of the Lustre client lie in "
                + debugfs
                + ", which is not there: mount debugfs, and into the container of the agent")
        : Optional.empty();
  }
}
