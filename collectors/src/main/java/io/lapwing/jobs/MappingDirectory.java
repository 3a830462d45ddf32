package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.Folder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * dcgm-exporter's job mapping directory, which the scheduler's prolog and epilog keep: a file for
 * each GPU, or slice, that somebody has, with a job id on each line.
 */
final class MappingDirectory {

  /** Sixteen GPUs with seven slices each, twice. */
  private static final int MOST_FILES = 256;

  private final Path path;
  private final SlurmCgroups slurm;
  private final SlurmJobs jobs;
  private final Map<String, MappingFile> files = new HashMap<>();

  MappingDirectory(Path path, SlurmCgroups slurm, SlurmJobs jobs) {
    this.path = path;
    this.slurm = slurm;
    this.jobs = jobs;
  }

  Answer look(GpuTable gpus, SampleSink sink) {
    Reading<Folder> folder =
        Folder.of(path, name -> MappingName.parse(name).isPresent(), MOST_FILES);
    if (folder instanceof Reading.Failed<Folder> failed) {
      sink.failed(failed.question(), failed.reason());
      return Answer.SILENT;
    }
    Optional<Folder> listed = folder.toOptional();
    files.keySet().retainAll(listed.map(Folder::names).orElse(List.of()));
    return listed.map(present -> read(present, gpus, sink)).orElse(Answer.NOT_HERE);
  }

  private Answer read(Folder folder, GpuTable gpus, SampleSink sink) {
    List<Claim> claims = new ArrayList<>();
    boolean whole = folder.all();
    if (!whole) {
      sink.failed(path.toString(), "too_many");
    }
    for (String name : folder.names()) {
      whole &= read(name, gpus, claims, sink);
    }
    return new Answer.Told(claims, whole);
  }

  /** Whether all of a file was understood. */
  private boolean read(String name, GpuTable gpus, List<Claim> claims, SampleSink sink) {
    Path file = path.resolve(name);
    Reading<MappingFile.Jobs> read =
        files.computeIfAbsent(name, unseen -> new MappingFile(file)).jobs();
    if (read instanceof Reading.Failed<?> failed) {
      sink.failed(failed.question(), failed.reason());
      return false;
    }
    Optional<MappingFile.Jobs> known = read.toOptional();
    if (known.isEmpty() || known.get().ids().isEmpty()) {
      return true;
    }
    Optional<GpuPlace> place = MappingName.parse(name).flatMap(form -> form.place(gpus));
    if (place.isEmpty()) {
      sink.failed(file.toString(), "unknown_gpu");
      return false;
    }
    for (String id : known.get().ids()) {
      if (slurm.isOver(id, known.get().since().toInstant())) {
        sink.failed(file.toString(), "stale");
      } else {
        claims.add(new Claim(place.get(), holder(id, sink)));
      }
    }
    return true;
  }

  /** Whoever idles on a GPU has processes elsewhere. */
  private Holder holder(String id, SampleSink sink) {
    Holder holder = Holder.job(id);
    return slurm.job(id).map(folder -> holder.of(jobs.of(id, folder, sink))).orElse(holder);
  }
}
