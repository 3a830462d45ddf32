package io.lapwing.training;

import io.lapwing.linux.JobName;
import io.lapwing.linux.UserFile;
import io.lapwing.training.StepFile.RejectedException;
import io.lapwing.training.StepFile.Rejection;
import io.lapwing.training.TrainingProcesses.Seen;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The writer of a step file, by the kernel, since any user may write anything into a file.
 *
 * @param standing how far the kernel verifies it
 * @param job the id to show: that of the cgroup, where it has one
 * @param user the uid of the file, which is that of the process where this is visible
 * @param pod the uid of its pod; empty without one
 * @param pid as in procfs; empty if the process is not visible
 * @param started when the process started, in clock ticks since boot; empty if it is not visible
 */
record RankWriter(
    Standing standing,
    String job,
    long user,
    Optional<String> pod,
    OptionalLong pid,
    OptionalLong started) {

  /** From the weakest. */
  enum Standing {
    /** Its process is not visible, or the cgroup of its process does not have the job. */
    UNVERIFIED,
    /** Its process is visible and belongs to the file's owner; the job is one by name only. */
    PROCESS,
    /** In addition the cgroup of the process has the job. */
    JOB;
  }

  /** Job ids of Slurm. */
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,20}");

  boolean isVerified() {
    return standing != Standing.UNVERIFIED;
  }

  boolean isStronger(RankWriter other) {
    return standing.compareTo(other.standing) > 0;
  }

  /** Whether its process is known to have started before that of the other. */
  boolean startedBefore(RankWriter other) {
    return started.isPresent()
        && other.started.isPresent()
        && started.getAsLong() < other.started.getAsLong();
  }

  /**
   * The writer of a file: the process with the lock, or the one that the header names if it is in
   * the PID namespace of procfs.
   *
   * @throws RejectedException if no process has the lock and none is visible, or if it is another
   *     user's
   */
  static RankWriter of(StepFile file, TrainingProcesses processes) throws RejectedException {
    UserFile.Lock lock = lock(file, processes);
    StepHeader header = file.header();
    OptionalLong pid = lock.held() ? lock.pid() : OptionalLong.of(header.pid());
    Optional<Seen> seen = pid.isPresent() ? processes.find(pid.getAsLong()) : Optional.empty();
    if (!lock.held() && !isWriter(header, seen, processes)) {
      throw new RejectedException(Rejection.PROCESS_GONE);
    }
    long owner = file.attributes().user();
    if (seen.isPresent() && seen.get().user().orElse(owner) != owner) {
      throw new RejectedException(Rejection.OWNER);
    }
    return seen.map(process -> visible(header, owner, pid, process, processes))
        .orElse(
            new RankWriter(
                Standing.UNVERIFIED,
                header.job(),
                owner,
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty()));
  }

  private static UserFile.Lock lock(StepFile file, TrainingProcesses processes) {
    try {
      return processes.lock(file);
    } catch (IOException noLocksHere) {
      return UserFile.Lock.FREE;
    }
  }

  /** Whether the header names a process of this namespace; a pid may have been reused. */
  private static boolean isWriter(
      StepHeader header, Optional<Seen> seen, TrainingProcesses processes) {
    OptionalLong namespace = processes.namespace();
    return namespace.isPresent()
        && namespace.equals(header.pidNamespace())
        && seen.isPresent()
        && processes.state(header.pid()) != ProcessState.ENDED
        && (seen.get().started().isEmpty()
            || header.processStart().isEmpty()
            || seen.get().started().equals(header.processStart()));
  }

  private static RankWriter visible(
      StepHeader header, long owner, OptionalLong pid, Seen process, TrainingProcesses processes) {
    boolean isNumber = NUMBER.matcher(header.job()).matches();
    if (process.user().isEmpty()) {
      return new RankWriter(
          Standing.UNVERIFIED, header.job(), owner, process.pod(), pid, process.started());
    }
    if (isNumber && process.job().isPresent()) {
      return new RankWriter(
          Standing.JOB, process.job().get(), owner, process.pod(), pid, process.started());
    }
    boolean isDenied =
        processes.hasSlurm()
            && !JobName.isNoId(header.job())
            && (process.job().isEmpty() || !process.job().equals(JobName.number(header.job())));
    Standing standing = isDenied ? Standing.UNVERIFIED : Standing.PROCESS;
    return new RankWriter(standing, header.job(), owner, process.pod(), pid, process.started());
  }
}
