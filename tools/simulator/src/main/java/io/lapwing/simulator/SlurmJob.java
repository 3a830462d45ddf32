package io.lapwing.simulator;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A job on the whole node as started by Slurm with cgroup v2: one task for each GPU.
 *
 * @param id "4711"
 * @param nodes of the job; the others are only in its environment
 * @param plugin whether its container has aws-ofi-nccl, without which NCCL cannot use EFA
 */
record SlurmJob(String id, int nodes, boolean plugin, List<JobRank> ranks) {
  static final String NAME = "llama";
  static final String USER = "ada";
  static final String ACCOUNT = "llm";
  static final String PARTITION = "train";

  private static final List<String> LIBRARIES =
      List.of(
          "/opt/conda/bin/python3.11",
          "/opt/conda/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so",
          "/opt/conda/lib/python3.11/site-packages/nvidia/nccl/lib/libnccl.so.2",
          "/usr/lib/x86_64-linux-gnu/libc.so.6");
  private static final List<String> WITH_PLUGIN =
      Stream.concat(
              LIBRARIES.stream(),
              Stream.of(
                  "/opt/amazon/ofi-nccl/lib/libnccl-net-ofi.so",
                  "/opt/amazon/efa/lib/libfabric.so.1.29.0",
                  "/usr/lib/x86_64-linux-gnu/libefa.so.1.3.58.0"))
          .toList();

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
        "SLURM_JOB_NAME=" + NAME,
        "SLURM_JOB_USER=" + USER,
        "SLURM_JOB_ACCOUNT=" + ACCOUNT,
        "SLURM_JOB_PARTITION=" + PARTITION,
        "SLURM_STEP_ID=0",
        "SLURM_PROCID=" + task.rank(),
        "SLURM_LOCALID=" + task.rank(),
        "RANK=" + task.rank(),
        "LOCAL_RANK=" + task.rank(),
        "SLURM_STEP_NUM_NODES=" + nodes,
        "WORLD_SIZE=" + nodes * ranks.size(),
        "LOCAL_WORLD_SIZE=" + ranks.size(),
        "NCCL_DEBUG=WARN",
        "");
  }

  /** The libraries of a task, the code of each only, in the format of /proc. */
  String maps() {
    StringBuilder text = new StringBuilder();
    long at = 0x7f1c80000000L;
    for (String library : plugin ? WITH_PLUGIN : LIBRARIES) {
      text.append(
          String.format(
              Locale.ROOT, "%x-%x r-xp 00000000 103:05 4194310  %s\n", at, at + 0x400000, library));
      at += 0x1000000;
    }
    return text.toString().stripTrailing();
  }
}
