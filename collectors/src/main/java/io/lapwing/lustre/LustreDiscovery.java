package io.lapwing.lustre;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.SourceSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Starts and stops the sources of file systems and targets, to match the folders found. */
final class LustreDiscovery {

  private final LustreRoots roots;
  private final SourceSet sources;
  private final LustreDetail detail;
  private final Map<String, Mounted> mounted = new TreeMap<>();

  /** A file system with the targets that have a source. */
  private record Mounted(LustreFileSystem fs, Set<String> targets) {}

  LustreDiscovery(LustreRoots roots, SourceSet sources, LustreDetail detail) {
    this.roots = roots;
    this.sources = sources;
    this.detail = detail;
  }

  void update(List<LustreName> mounts, List<LustreName> targets) {
    Set<String> names = new TreeSet<>();
    mounts.forEach(mount -> names.add(mount.fs()));
    targets.forEach(target -> names.add(target.fs()));
    List.copyOf(mounted.keySet()).stream().filter(fs -> !names.contains(fs)).forEach(this::stop);
    for (String name : names) {
      update(
          name,
          mounts.stream().filter(mount -> mount.fs().equals(name)).toList(),
          targets.stream().filter(target -> target.fs().equals(name)).toList());
    }
  }

  private void update(String name, List<LustreName> mounts, List<LustreName> targets) {
    boolean isNew = !mounted.containsKey(name);
    Mounted one = mounted.computeIfAbsent(name, this::mounted);
    one.fs().found(mounts, targets);
    if (isNew) {
      sources.add(new LustreMountSource(roots, one.fs()));
      sources.add(new LustreCapacitySource(roots, one.fs()));
    } else {
      one.fs().stopWaiting();
    }
    updateTargets(one, targets);
  }

  private Mounted mounted(String name) {
    return new Mounted(new LustreFileSystem(name, this::startSums), new HashSet<>());
  }

  private void startSums(LustreFileSystem fs) {
    if (detail == LustreDetail.SUMMARY) {
      sources.add(new LustreSumsSource(fs));
    }
  }

  private void updateTargets(Mounted one, List<LustreName> targets) {
    Set<String> now = new TreeSet<>();
    targets.forEach(target -> now.add(target.target()));
    for (String target : now) {
      if (one.targets().add(target)) {
        sources.add(new LustreTargetSource(roots, one.fs(), target, detail));
      }
    }
    for (String gone : Set.copyOf(one.targets())) {
      if (!now.contains(gone)) {
        sources.remove(LustreTargetSource.name(one.fs().name(), gone));
        one.targets().remove(gone);
      }
    }
  }

  private void stop(String name) {
    Mounted gone = mounted.remove(name);
    if (gone != null) {
      gone.fs().unmounted();
      gone.targets().forEach(target -> sources.remove(LustreTargetSource.name(name, target)));
      sources.remove(LustreMountSource.name(name));
      sources.remove(LustreSumsSource.name(name));
      sources.remove(LustreCapacitySource.name(name));
    }
  }

  /**
   * The sums over the targets of one file system, in {@link LustreDetail#SUMMARY}: {@code stats}
   * and {@code rpc_stats} of osc and mdc, without the target label. Reads no file. It is started
   * when every target was read once or failed, so that the first scrape has complete sums, and runs
   * after them in their worker group.
   */
  static final class LustreSumsSource extends FixedSource {

    LustreSumsSource(LustreFileSystem fs) {
      super(name(fs.name()), LustreSource.KIND, FILES);
      add(TargetConnections.NAME, Cadence.MEDIUM, fs.totals()::put);
      add(TargetRpcStats.NAME, Cadence.MEDIUM, fs.histograms()::put);
    }

    static String name(String fs) {
      return "lustre-sums-" + fs;
    }
  }
}
