package io.lapwing.training;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** A training source with adjustable GPUs, processes and clock. */
final class TrainingNode implements SourceSet, TrainingProcesses, TrainingGpus, AutoCloseable {

  static final long NAMESPACE = 4026531836L;

  final Map<String, Source> sources = new LinkedHashMap<>();
  final List<String> removed = new ArrayList<>();
  final Map<Long, Seen> processes = new HashMap<>();
  final Map<Long, ProcessState> states = new HashMap<>();
  final Map<String, TrainingGpus.RankGpu> gpus = new HashMap<>();
  final TrainingSource source;
  final Map<Long, String> accounts = new HashMap<>();
  OptionalLong namespace = OptionalLong.of(NAMESPACE);
  OptionalDouble peak = OptionalDouble.of(1e15);
  boolean slurm;
  int gpuCount = 8;

  /** Whether the locks are those of the kernel. */
  boolean real;

  /** Holders of locks by file name; the pid is empty if its process is not visible. */
  final Map<String, OptionalLong> holders = new HashMap<>();

  final List<String> warnings = new ArrayList<>();
  Instant now = MadeSteps.BEGAN.plusSeconds(2);

  TrainingNode(Path folder) {
    this.source =
        new TrainingSource(
            folder,
            this,
            this,
            this,
            uid -> accounts.getOrDefault(uid, Long.toString(uid)),
            precision -> precision == PeakFlops.Precision.BF16 ? peak : OptionalDouble.of(2e15),
            () -> now,
            warnings::add);
  }

  /** Each source that was read has an inotify instance, of which a user has 128. */
  @Override
  public void close() {
    source.close();
  }

  @Override
  public void add(Source one) {
    sources.putIfAbsent(one.name(), one);
  }

  @Override
  public void remove(String name) {
    Source gone = sources.remove(name);
    if (gone != null) {
      removed.add(name);
      gone.close();
    }
  }

  @Override
  public OptionalLong namespace() {
    return namespace;
  }

  @Override
  public Optional<Seen> find(long pid) {
    return Optional.ofNullable(processes.get(pid));
  }

  @Override
  public ProcessState state(long pid) {
    return states.getOrDefault(pid, ProcessState.ACTIVE);
  }

  /** Files that name no PID namespace are locked by the process that they name. */
  @Override
  public UserFile.Lock lock(StepFile file) throws IOException {
    if (real) {
      return file.lock();
    }
    long pid = file.header().pid();
    OptionalLong named = processes.containsKey(pid) ? OptionalLong.of(pid) : OptionalLong.empty();
    OptionalLong holder =
        holders.getOrDefault(
            file.path().getFileName().toString(),
            file.header().pidNamespace().isEmpty() ? named : OptionalLong.of(-1));
    return holder.orElse(0) < 0 ? UserFile.Lock.FREE : new UserFile.Lock(true, holder);
  }

  @Override
  public boolean hasSlurm() {
    return slurm;
  }

  @Override
  public int count() {
    return gpuCount;
  }

  TrainingNode process(long pid, long started, long user) {
    return process(pid, started, user, "");
  }

  TrainingNode process(long pid, long started, long user, String job) {
    return process(pid, started, user, job, Optional.empty());
  }

  TrainingNode inPod(long pid, long started, long user, String pod) {
    return process(pid, started, user, "", Optional.of(pod));
  }

  private TrainingNode process(
      long pid, long started, long user, String job, Optional<String> pod) {
    processes.put(
        pid,
        new Seen(
            OptionalLong.of(started),
            OptionalLong.of(user),
            Optional.of(job).filter(id -> !id.isEmpty()),
            pod));
    return this;
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byUuid(String uuid) {
    return Optional.ofNullable(gpus.get(uuid));
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byIndex(int index) {
    return Optional.ofNullable(gpus.get("index " + index));
  }

  @Override
  public Optional<TrainingGpus.RankGpu> byPid(long pid) {
    return Optional.ofNullable(gpus.get("pid " + pid));
  }

  /** Polls the finder, then every rank. */
  TrainingNode poll() {
    Access access = source.begin(source.collectors());
    if (access instanceof Access.Ready) {
      List.copyOf(sources.values()).forEach(one -> one.begin(one.collectors()));
    }
    return this;
  }

  TrainingNode poll(int times) {
    for (int i = 0; i < times; i++) {
      poll();
    }
    return this;
  }

  TrainingNode later(Duration time) {
    now = now.plus(time);
    return this;
  }

  List<String> names() {
    return List.copyOf(sources.keySet());
  }

  /** The samples of the only rank. */
  RecordedSink rank() {
    if (sources.size() != 1) {
      throw new AssertionError("not one rank: " + sources.keySet());
    }
    return rank(names().get(0));
  }

  RecordedSink rank(String name) {
    return RecordedSink.of(source(name).collectors().get(0));
  }

  Source source(String name) {
    Source one = sources.get(name);
    if (one == null) {
      throw new AssertionError("no " + name + " among " + names());
    }
    return one;
  }

  /** Rejections by reason. */
  Map<String, Integer> rejected() {
    return counts("lapwing_training_files_rejected_total");
  }

  Map<String, Integer> rejectedRecords() {
    return counts("lapwing_training_records_rejected_total");
  }

  private Map<String, Integer> counts(String family) {
    Map<String, Integer> counts = new HashMap<>();
    for (RecordedSink.Sample sample : RecordedSink.of(source.collectors().get(0)).samples()) {
      if (sample.metric().name().equals(family) && sample.value() > 0) {
        counts.put(sample.labels().values().get(0), (int) sample.value());
      }
    }
    return counts;
  }
}
