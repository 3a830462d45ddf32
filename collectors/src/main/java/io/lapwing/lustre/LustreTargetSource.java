package io.lapwing.lustre;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One target as a source. With several mounts, counters and amounts are sums, a target is connected
 * if it is in all of them, and the state is that of the newest.
 */
final class LustreTargetSource extends FixedSource {

  private static final Set<String> NOT_THE_TARGET = Set.of("no_permission");

  private final LustreFileSystem fs;
  private final String target;
  private final LustreFiles files;
  private final Labels labels;
  private List<TargetInstance> instances = List.of();
  private String lastDue = "";

  LustreTargetSource(LustreRoots roots, LustreFileSystem fs, String target, LustreDetail detail) {
    super(
        name(fs.name(), target),
        LustreSource.KIND,
        FILES,
        new Part(LustreSource.KIND, fs.name() + "-" + target, fs.labels().with("target", target)));
    this.fs = fs;
    this.target = target;
    this.files = new LustreFiles(roots);
    this.labels = fs.labels().with("target", target);
    addLast(TargetConnections.NAME, Cadence.MEDIUM, new TargetConnections(this, detail)::collect);
    addLast(TargetRpcStats.NAME, Cadence.MEDIUM, new TargetRpcStats(this, detail)::collect);
    addLast(TargetLimits.NAME, Cadence.SLOW, new TargetLimits(this, detail)::collect);
  }

  /** Marks the target as tried after the last collector of a round; some may be disabled. */
  private void addLast(String name, Cadence cadence, Consumer<SampleSink> body) {
    add(
        name,
        cadence,
        sink -> {
          try {
            body.accept(sink);
          } finally {
            if (lastDue.equals(name)) {
              fs.tried(target);
            }
          }
        });
  }

  static String name(String fs, String target) {
    return "lustre-" + fs + "-" + target;
  }

  /** Down if {@code import} cannot be read, unless that is a matter of permissions. */
  @Override
  public Access begin(List<Collector> due) {
    update(fs.instances(target));
    lastDue = due.isEmpty() ? "" : due.get(due.size() - 1).name();
    Access access = Access.READY;
    for (TargetInstance instance : instances) {
      instance.importText = files.reading(instance.file("import"));
      if (instance.importText instanceof Reading.Failed<?> failed
          && !NOT_THE_TARGET.contains(failed.reason())) {
        access = new Access.Down(failed.reason(), failed.question() + " cannot be read");
      }
    }
    if (due.isEmpty() || access instanceof Access.Down) {
      fs.tried(target);
    }
    return access;
  }

  /** Keeps the state of mounts that still exist. */
  private void update(List<LustreName> names) {
    if (names.equals(instances.stream().map(one -> one.name).toList())) {
      return;
    }
    List<TargetInstance> now = new ArrayList<>();
    for (LustreName name : names) {
      now.add(
          instances.stream()
              .filter(one -> one.name.equals(name))
              .findFirst()
              .orElseGet(() -> new TargetInstance(name)));
    }
    instances = List.copyOf(now);
  }

  Labels labels() {
    return labels;
  }

  LustreFiles files() {
    return files;
  }

  LustreFileSystem fs() {
    return fs;
  }

  boolean metadata() {
    return target.startsWith("MDT");
  }

  /** One per mount, the newest last. */
  List<TargetInstance> instances() {
    return instances;
  }

  /** Adds the sum of a number over all mounts; nothing if one of them lacks it. */
  void putSum(Metric metric, String file, double unit, SampleSink sink) {
    double sum = 0;
    boolean all = !instances.isEmpty();
    for (TargetInstance instance : instances) {
      OptionalDouble number = files.number(instance.file(file), sink);
      all &= number.isPresent();
      sum += number.orElse(0);
    }
    if (all) {
      sink.add(metric, labels, sum * unit);
    }
  }
}
