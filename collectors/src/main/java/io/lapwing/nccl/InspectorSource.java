package io.lapwing.nccl;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.UserFile;
import io.lapwing.metric.Labels;
import io.lapwing.nccl.InspectorFile.Rejection;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Prometheus files of NCCL's profiler plugin Inspector, one for each GPU, in base units. Values
 * are averages over its last window of 30 s or more. A file not written for five minutes belongs to
 * a job that has ended.
 */
public final class InspectorSource extends FixedSource {

  public static final String COLLECTOR = "nccl_inspector";

  /** More than a node has GPUs. */
  private static final int MAX_FILES = 32;

  private static final int MAX_NAMES = 1024;

  private final Path folder;
  private final GpuIndexes gpus;
  private final InstantSource clock;
  private final Map<String, InspectorFile> files = new TreeMap<>();
  private final Map<Rejection, Labels> reasons = new EnumMap<>(Rejection.class);
  private final Map<Rejection, Long> rejected = new EnumMap<>(Rejection.class);

  public InspectorSource(Path folder, GpuIndexes gpus, InstantSource clock) {
    super("nccl-inspector");
    add(COLLECTOR, Cadence.MEDIUM, this::collect);
    this.folder = folder;
    this.gpus = gpus;
    this.clock = clock;
    for (Rejection one : Rejection.values()) {
      reasons.put(one, Labels.of(InspectorMetrics.REASON, one.text()));
      rejected.put(one, 0L);
    }
  }

  @Override
  public PageShare share() {
    return PageShare.NCCL;
  }

  @Override
  public Access begin(List<Collector> due) {
    return Files.isDirectory(folder)
        ? Access.READY
        : new Access.NothingHere("there is no directory " + folder);
  }

  private void collect(SampleSink sink) {
    Instant now = clock.instant();
    read(now, sink);
    List<InspectorFile> fresh = files.values().stream().filter(one -> one.isFresh(now)).toList();
    fresh.forEach(one -> one.put(sink));
    sink.add(InspectorMetrics.FILES, Labels.NONE, fresh.size());
    sink.add(
        InspectorMetrics.SERIES_DROPPED,
        Labels.NONE,
        fresh.stream().mapToInt(InspectorFile::dropped).sum());
    rejected.forEach(
        (why, count) -> sink.add(InspectorMetrics.REJECTED, labels(why), (double) count));
  }

  private Labels labels(Rejection why) {
    return reasons.getOrDefault(why, Labels.NONE);
  }

  private void read(Instant now, SampleSink sink) {
    try {
      Set<String> there = names();
      files.keySet().retainAll(there);
      there.forEach(this::follow);
      UserFile.Attributes itself = UserFile.Attributes.at(folder.toRealPath());
      files.values().forEach(file -> file.read(itself, gpus, now).ifPresent(this::count));
    } catch (AccessDeniedException denied) {
      sink.failed(folder.toString(), "no_permission");
    } catch (IOException | DirectoryIteratorException broken) {
      sink.failed(folder.toString(), "io");
    }
  }

  /** Any user may write to the folder, so the listing is bounded. */
  private Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, InspectorFile.GLOB)) {
      Iterator<Path> each = all.iterator();
      while (names.size() < MAX_NAMES && each.hasNext()) {
        names.add(each.next().getFileName().toString());
      }
    }
    return names;
  }

  private void follow(String name) {
    if (files.containsKey(name)) {
      return;
    }
    Optional<InspectorFile> file = InspectorFile.of(folder, name);
    if (file.isPresent() && files.size() == MAX_FILES) {
      count(Rejection.TOO_MANY);
    } else {
      file.ifPresent(one -> files.put(name, one));
    }
  }

  private void count(Rejection why) {
    rejected.merge(why, 1L, Long::sum);
  }

  @FunctionalInterface
  public interface GpuIndexes {

    /** Of an unknown node. */
    GpuIndexes NONE = uuid -> OptionalInt.empty();

    /** The NVML index of a GPU by NVML's {@code GPU-8f2c...}. */
    OptionalInt index(String uuid);
  }
}
