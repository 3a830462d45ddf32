package io.lapwing.training;

import java.util.Optional;
import java.util.OptionalLong;

/** The visible processes of this machine. */
interface TrainingProcesses {

  /** Without any visible process. */
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
      };

  /** A process: its start in clock ticks since boot and its user id; empty if unknown. */
  record Seen(OptionalLong started, OptionalLong user) {}

  /** Inode of the PID namespace of {@link #find}; empty if unknown or processes may be hidden. */
  OptionalLong namespace();

  /** A process; empty if it does not run. */
  Optional<Seen> find(long pid);
}
