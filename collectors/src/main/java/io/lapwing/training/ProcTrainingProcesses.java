package io.lapwing.training;

import io.lapwing.collect.Reading;
import io.lapwing.linux.Folder;
import io.lapwing.linux.LockTable;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.ProcessCgroup;
import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Processes from procfs: {@code PID/stat}, {@code status}, {@code cgroup}; {@code 1/ns/pid}. */
public final class ProcTrainingProcesses implements TrainingProcesses {

  private static final Pattern SLURM = Pattern.compile("slurm(?:_.+)?|(?:.+_)?slurmstepd\\.scope");
  private static final List<String> SLURM_PARENTS =
      List.of("system.slice", "memory", "cpuset", "freezer", "devices", "cpu,cpuacct");

  private final ProcFs proc;
  private final Path cgroups;
  private final LockTable locks;
  private final OptionalLong namespace;

  /**
   * Whether a process was in the cgroup of a Slurm job; the cgroups of sysfs may not be visible.
   */
  private boolean slurmSeen;

  /** The cgroups are {@code fs/cgroup} of sysfs. */
  public ProcTrainingProcesses(ProcFs proc, Path cgroups) {
    this.proc = proc;
    this.cgroups = cgroups;
    this.locks = new LockTable(proc);
    this.namespace = namespace(proc.path());
  }

  /**
   * The namespace of pid 1, since the procfs may be the host's and not that of the agent's
   * container. Empty with {@code hidepid}, which hides pid 1 as well.
   */
  private OptionalLong namespace(Path path) {
    if (!Files.exists(path.resolve("1/stat"))) {
      return OptionalLong.empty();
    }
    OptionalLong first = inode(path.resolve("1/ns/pid"));
    return first.isPresent() || !locks.hasOurPids() ? first : inode(path.resolve("self/ns/pid"));
  }

  private static OptionalLong inode(Path file) {
    try {
      return Files.getAttribute(file, "unix:ino") instanceof Number number
          ? OptionalLong.of(number.longValue())
          : OptionalLong.empty();
    } catch (IOException | SecurityException hidden) {
      return OptionalLong.empty();
    }
  }

  @Override
  public OptionalLong namespace() {
    return namespace;
  }

  @Override
  public Optional<Seen> find(long pid) {
    Reading<Long> ticks = proc.startTicks(pid);
    if (ticks instanceof Reading.Missing) {
      return Optional.empty();
    }
    // A process that exits during the read fails with another error than "not found".
    return ticks.toOptional().isPresent() || Files.exists(proc.process(pid))
        ? Optional.of(seen(pid, ticks))
        : Optional.empty();
  }

  private Seen seen(long pid, Reading<Long> ticks) {
    Optional<ProcessCgroup> cgroup = proc.cgroup(pid).toOptional();
    slurmSeen |= cgroup.flatMap(ProcessCgroup::jobId).isPresent();
    return new Seen(
        ticks.toOptional().map(OptionalLong::of).orElse(OptionalLong.empty()),
        proc.uid(pid).toOptional().map(OptionalLong::of).orElse(OptionalLong.empty()),
        cgroup.flatMap(ProcessCgroup::jobId),
        cgroup.flatMap(ProcessCgroup::podUid));
  }

  @Override
  public ProcessState state(long pid) {
    return proc.state(pid).map(ProcessState::of).toOptional().orElse(ProcessState.ACTIVE);
  }

  @Override
  public OptionalDouble runDelay(long pid) {
    return proc.runDelay(pid)
        .toOptional()
        .map(nanos -> OptionalDouble.of(nanos / 1e9))
        .orElse(OptionalDouble.empty());
  }

  @Override
  public UserFile.Lock lock(StepFile file) throws IOException {
    return locks.inProcFs(file.lock(), file.inFile());
  }

  @Override
  public boolean hasSlurm() {
    return slurmSeen
        || SLURM_PARENTS.stream()
            .map(cgroups::resolve)
            .anyMatch(
                parent ->
                    Folder.of(parent, SLURM.asMatchPredicate(), 1)
                        .toOptional()
                        .filter(found -> !found.names().isEmpty())
                        .isPresent());
  }
}
