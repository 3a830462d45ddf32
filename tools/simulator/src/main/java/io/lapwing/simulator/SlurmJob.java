package io.lapwing.simulator;

import java.util.List;
import java.util.Optional;

/**
 * A job on the whole node as started by Slurm with cgroup v2: one task for each GPU.
 *
 * @param id "4711"
 */
record SlurmJob(String id, List<JobRank> ranks) {
  static final String USER = "ada";
  static final String ACCOUNT = "llm";
  static final String PARTITION = "train";

  private static final String SCOPE = "system.slice/slurmstepd.scope";

  SlurmJob {
    ranks = List.copyOf(ranks);
  }

  Optional<JobRank> rank(long pid) {
    return ranks.stream().filter(rank -> rank.pid() == pid).findFirst();
  }

  /** The folder of a task below the cgroup root. */
  String cgroup(JobRank task) {
    return SCOPE + "/job_" + id + "/step_0/user/task_" + task.rank();
  }

  /** A task's environment in the format of /proc: each variable ends with a NUL. */
  String environ(JobRank task) {
    return String.join(
        "\0",
        "SLURM_JOB_ID=" + id,
        "SLURM_JOB_USER=" + USER,
        "SLURM_JOB_ACCOUNT=" + ACCOUNT,
        "SLURM_JOB_PARTITION=" + PARTITION,
        "SLURM_STEP_ID=0",
        "SLURM_PROCID=" + task.rank(),
        "SLURM_LOCALID=" + task.rank(),
        "RANK=" + task.rank(),
        "LOCAL_RANK=" + task.rank(),
        "WORLD_SIZE=" + ranks.size(),
        "");
  }
}
