package io.lapwing.lustre;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * One target of a mounted file system as a source: what {@link TargetConnections}, {@link
 * TargetRpcStats} and {@link TargetLimits} show. Where a file system is mounted more than once
 * here, counters and amounts are sums over the mounts, a target is connected if it is for all of
 * them, and the state is that of the newest.
 */
public final class LustreTargetSource implements Source {

  /** Reads that come back at once share a thread; one that blocks keeps it. */
  static final String LANE = "lustre-targets";

  private static final Set<String> NOT_THIS_TARGETS_FAULT = Set.of("no_permission");

  private final LustreFileSystem fs;
  private final String target;
  private final LustreFiles files;
  private final Labels labels;
  private final List<Collector> collectors;
  private List<TargetInstance> instances = List.of();
  private String lastDue = "";

  LustreTargetSource(LustreRoots roots, LustreFileSystem fs, String target, LustreDetail detail) {
    this.fs = fs;
    this.target = target;
    this.files = new LustreFiles(roots);
    this.labels = fs.labels().with("target", target);
    this.collectors =
        List.of(
            new Told(new TargetConnections(this, detail)),
            new Told(new TargetRpcStats(this, detail)),
            new Told(new TargetLimits(this, detail)));
  }

  /** A collector that tells when it was the last one of a round: some may be switched off. */
  private final class Told implements Collector {
    private final Collector collector;

    Told(Collector collector) {
      this.collector = collector;
    }

    @Override
    public String name() {
      return collector.name();
    }

    @Override
    public Cadence cadence() {
      return collector.cadence();
    }

    @Override
    public void collect(SampleSink sink) {
      try {
        collector.collect(sink);
      } finally {
        if (lastDue.equals(name())) {
          fs.asked(target);
        }
      }
    }
  }

  static String name(String fs, String target) {
    return "lustre-" + fs + "-" + target;
  }

  @Override
  public String name() {
    return name(fs.name(), target);
  }

  @Override
  public Optional<String> parent() {
    return Optional.of(LustreSource.KIND);
  }

  @Override
  public String lane() {
    return LANE;
  }

  @Override
  public Optional<Part> part() {
    return Optional.of(new Part(LustreSource.KIND, fs.name() + "-" + target, labels));
  }

  @Override
  public List<Collector> collectors() {
    return collectors;
  }

  /** A target whose first file cannot be read for a reason of its own is down. */
  @Override
  public Access begin(List<Collector> due) {
    follow(fs.instances(target));
    lastDue = due.isEmpty() ? "" : due.get(due.size() - 1).name();
    Access access = Access.READY;
    for (TargetInstance instance : instances) {
      instance.importText = files.reading(instance.name.file("import"));
      if (instance.importText instanceof Reading.Failed<?> failed
          && !NOT_THIS_TARGETS_FAULT.contains(failed.reason())) {
        access = new Access.Down(failed.reason(), failed.question() + " cannot be read");
      }
    }
    if (due.isEmpty() || access instanceof Access.Down) {
      fs.asked(target);
    }
    return access;
  }

  /** Keeps what was seen of the mounts that are still there. */
  private void follow(List<LustreName> names) {
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

  /** Those of the series of this target. */
  Labels labels() {
    return labels;
  }

  LustreFiles files() {
    return files;
  }

  LustreFileSystem fs() {
    return fs;
  }

  /** Whether it holds names, not data. */
  boolean metadata() {
    return target.startsWith("MDT");
  }

  /** One for each mount, the newest last. */
  List<TargetInstance> instances() {
    return instances;
  }

  /** The sum of a number over all mounts; nothing where one of them does not tell. */
  void putSum(Metric metric, String file, double unit, SampleSink sink) {
    double sum = 0;
    boolean all = !instances.isEmpty();
    for (TargetInstance instance : instances) {
      OptionalDouble number = files.number(instance.name.file(file), sink);
      all &= number.isPresent();
      sum += number.orElse(0);
    }
    if (all) {
      sink.add(metric, labels, sum * unit);
    }
  }
}
