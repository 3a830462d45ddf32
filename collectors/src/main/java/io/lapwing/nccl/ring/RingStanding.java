package io.lapwing.nccl.ring;

/** How far the kernel and the driver verify a process that writes a ring file. From the weakest. */
enum RingStanding {
  /** It is not visible. */
  HIDDEN,
  /** It is visible and belongs to the file's owner: any user has such processes. */
  PROCESS,
  /** It is in the cgroup of a Slurm job. */
  JOB,
  /** It computes on a GPU. */
  GPU;

  static RingStanding of(
      RingProcesses.Writer writer, RingProcesses processes, RingSource.Gpus gpus) {
    if (writer.pid().isEmpty() || !writer.verified()) {
      return HIDDEN;
    }
    long pid = writer.pid().getAsLong();
    if (gpus.isUsedBy(pid)) {
      return GPU;
    }
    return processes.job(pid).isPresent() ? JOB : PROCESS;
  }

  boolean isStronger(RingStanding other) {
    return compareTo(other) > 0;
  }

  /** Whether it is the process of a job and not just any. */
  boolean isOfJob() {
    return compareTo(JOB) >= 0;
  }
}
