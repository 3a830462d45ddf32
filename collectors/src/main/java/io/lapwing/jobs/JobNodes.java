package io.lapwing.jobs;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** Whether a process belongs to a job of several nodes, by the variables of its launcher. */
enum JobNodes {
  ONE("one"),
  SEVERAL("several"),
  UNKNOWN("");

  private static final String WORLD = "WORLD_SIZE";
  private static final String LOCAL = "LOCAL_WORLD_SIZE";
  private static final String MPI_WORLD = "OMPI_COMM_WORLD_SIZE";
  private static final String MPI_LOCAL = "OMPI_COMM_WORLD_LOCAL_SIZE";
  private static final String STEP_NODES = "SLURM_STEP_NUM_NODES";
  private static final String JOB_NODES = "SLURM_JOB_NUM_NODES";

  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,6}");

  private final String text;

  JobNodes(String text) {
    this.text = text;
  }

  /** A label value; empty if unknown. */
  String text() {
    return text;
  }

  static Set<String> variables() {
    return Set.of(WORLD, LOCAL, MPI_WORLD, MPI_LOCAL, STEP_NODES, JOB_NODES);
  }

  /**
   * torchrun and Open MPI name the ranks of the job and of the node; Slurm names the nodes of the
   * step, and those of the allocation, in which each node may run a job of its own.
   *
   * @param gpus of the node: a world with more ranks has other nodes
   */
  static JobNodes of(Map<String, String> environment, int gpus) {
    JobNodes ranks = ranks(count(environment, WORLD), count(environment, LOCAL), gpus);
    if (ranks != UNKNOWN) {
      return ranks;
    }
    JobNodes mpi = ranks(count(environment, MPI_WORLD), count(environment, MPI_LOCAL), gpus);
    if (mpi != UNKNOWN) {
      return mpi;
    }
    OptionalInt step = count(environment, STEP_NODES);
    if (step.isPresent()) {
      return step.getAsInt() > 1 ? SEVERAL : ONE;
    }
    return count(environment, JOB_NODES).orElse(0) == 1 ? ONE : UNKNOWN;
  }

  private static JobNodes ranks(OptionalInt world, OptionalInt local, int gpus) {
    if (world.isPresent() && local.isPresent()) {
      return world.getAsInt() > local.getAsInt() ? SEVERAL : ONE;
    }
    return gpus > 0 && world.orElse(0) > gpus ? SEVERAL : UNKNOWN;
  }

  private static OptionalInt count(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    return COUNT.matcher(value).matches()
        ? OptionalInt.of(Integer.parseInt(value))
        : OptionalInt.empty();
  }
}
