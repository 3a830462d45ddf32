package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuTable.GpuPlace;
import io.lapwing.jobs.SourceResult.Allocation;
import io.lapwing.linux.FileFailure;
import io.lapwing.linux.Folder;
import io.lapwing.linux.SmallFile;
import io.lapwing.metric.LabelText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * dcgm-exporter's job mapping directory, written by the scheduler's prolog and epilog: one file for
 * each allocated GPU or slice, with a job id on each line.
 */
final class MappingDirectory {

  /** Sixteen GPUs with seven slices each, twice. */
  private static final int MAX_FILES = 256;

  private final Path path;
  private final SlurmCgroups slurm;
  private final SlurmJobs jobs;
  private final Map<String, MappingFile> files = new HashMap<>();

  MappingDirectory(Path path, SlurmCgroups slurm, SlurmJobs jobs) {
    this.path = path;
    this.slurm = slurm;
    this.jobs = jobs;
  }

  SourceResult read(GpuTable gpus, SampleSink sink) {
    Reading<Folder> folder = Folder.of(path, name -> FileName.parse(name).isPresent(), MAX_FILES);
    if (sink.countFailure(folder)) {
      return SourceResult.UNAVAILABLE;
    }
    Optional<Folder> listed = folder.toOptional();
    files.keySet().retainAll(listed.map(Folder::names).orElse(List.of()));
    return listed.map(present -> read(present, gpus, sink)).orElse(SourceResult.ABSENT);
  }

  private SourceResult read(Folder folder, GpuTable gpus, SampleSink sink) {
    List<Allocation> allocations = new ArrayList<>();
    boolean complete = folder.all();
    if (!complete) {
      sink.failed(path.toString(), "too_many");
    }
    for (String name : folder.names()) {
      complete &= read(name, gpus, allocations, sink);
    }
    return new SourceResult.Known(allocations, complete);
  }

  /** Whether the file was understood completely. */
  private boolean read(String name, GpuTable gpus, List<Allocation> allocations, SampleSink sink) {
    Path file = path.resolve(name);
    Reading<MappingFile.Jobs> read =
        files.computeIfAbsent(name, unseen -> new MappingFile(file)).jobs();
    if (sink.countFailure(read)) {
      return false;
    }
    Optional<MappingFile.Jobs> known = read.toOptional();
    if (known.isEmpty() || known.get().ids().isEmpty()) {
      return true;
    }
    Optional<GpuPlace> place = FileName.parse(name).flatMap(form -> form.place(gpus));
    if (place.isEmpty()) {
      sink.failed(file.toString(), "unknown_gpu");
      return false;
    }
    for (String id : known.get().ids()) {
      if (slurm.hasEnded(id, known.get().since().toInstant())) {
        sink.failed(file.toString(), "stale");
      } else {
        allocations.add(new Allocation(place.get(), owner(id, sink)));
      }
    }
    return true;
  }

  /** A job that does not use its GPU still has processes in its cgroup. */
  private GpuOwner owner(String id, SampleSink sink) {
    GpuOwner owner = GpuOwner.job(id);
    return slurm.job(id).map(folder -> owner.of(jobs.of(id, folder, sink))).orElse(owner);
  }

  /** The name of a mapping file: a GPU's index, and perhaps a MIG GPU instance's id. */
  record FileName(int gpu, OptionalInt instance) {

    /** No GPU index or instance id is longer. */
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(?:\\.([0-9]{1,6}))?");

    /** Empty for any other file; those are ignored. */
    static Optional<FileName> parse(String name) {
      Matcher form = FORM.matcher(name);
      if (!form.matches()) {
        return Optional.empty();
      }
      String instance = form.group(2);
      return Optional.of(
          new FileName(
              Integer.parseInt(form.group(1)),
              instance == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(instance))));
    }

    Optional<GpuPlace> place(GpuTable gpus) {
      return instance.isPresent() ? gpus.slice(gpu, instance.getAsInt()) : gpus.whole(gpu);
    }
  }

  /** One file of the job mapping directory, re-read when it changed. */
  static final class MappingFile {

    private static final int MAX_BYTES = 16 * 1024;

    private final Path path;
    private @Nullable Stamp stamp;
    private Reading<Jobs> jobs;

    /** Differs if the file was rewritten or replaced. */
    private record Stamp(@Nullable Object key, FileTime modified, long size) {}

    /** The ids in file order, without duplicates, and when the file was last written. */
    record Jobs(List<String> ids, FileTime since) {

      Jobs {
        ids = List.copyOf(ids);
      }
    }

    MappingFile(Path path) {
      this.path = path;
      this.jobs = new Reading.Missing<>(path.toString());
    }

    /** The current content; {@link Reading.Missing} if the epilog has just removed it. */
    Reading<Jobs> jobs() {
      try {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        Stamp seen = new Stamp(now.fileKey(), now.lastModifiedTime(), now.size());
        if (!seen.equals(stamp) || jobs.failure().isPresent()) {
          stamp = seen;
          jobs =
              SmallFile.whole(path, MAX_BYTES)
                  .map(text -> new Jobs(ids(text), now.lastModifiedTime()));
        }
      } catch (NoSuchFileException gone) {
        jobs = new Reading.Missing<>(path.toString());
      } catch (IOException failed) {
        jobs = new Reading.Failed<>(path.toString(), FileFailure.reason(failed));
      }
      return jobs;
    }

    /** Each non-blank line is a job id; the last one may lack its newline. */
    static List<String> ids(String text) {
      return text.lines()
          .map(line -> LabelText.clean(line.strip()))
          .filter(line -> !line.isEmpty())
          .distinct()
          .toList();
    }
  }
}
