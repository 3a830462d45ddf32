package io.lapwing.training;

import io.lapwing.linux.UserFile;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The kernel's information about the processes of this machine. */
interface TrainingProcesses {

  /** Without any visible process or lock. */
  TrainingProcesses UNSEEN =
      new TrainingProcesses() {
        @Override
        public OptionalLong namespace() {
          return OptionalLong.empty();
        }

        @Override
        public Optional<Seen> find(long pid) {
          return Optional.empty();
        }

        @Override
        public UserFile.Lock lock(StepFile file) {
          return UserFile.Lock.FREE;
        }

        @Override
        public boolean hasSlurm() {
          return false;
        }
      };

  /**
   * A process; empty where unknown.
   *
   * @param started in clock ticks since boot
   * @param user its real uid
   * @param job the Slurm job of its cgroup
   * @param pod the uid of the pod of its cgroup
   */
  record Seen(
      OptionalLong started, OptionalLong user, Optional<String> job, Optional<String> pod) {}

  /** Inode of the PID namespace of {@link #find}; empty if unknown or processes may be hidden. */
  OptionalLong namespace();

  /** A process; empty if it does not run. */
  Optional<Seen> find(long pid);

  /** The state of a process of {@link #find}. */
  default ProcessState state(long pid) {
    return ProcessState.ACTIVE;
  }

  /** Seconds for which its main thread waited for a processor since its start. */
  default OptionalDouble runDelay(long pid) {
    return OptionalDouble.empty();
  }

  /** The lock of the writer of a file; its pid is one of {@link #find}. */
  UserFile.Lock lock(StepFile file) throws IOException;

  /** Whether Slurm manages jobs by cgroups on this node. */
  boolean hasSlurm();
}
