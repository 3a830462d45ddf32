package io.lapwing.training;

import java.util.Optional;
import java.util.OptionalLong;

/** The processes of this machine, as far as they can be seen. */
public interface TrainingProcesses {

  /** Of a machine on which none can be seen. */
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

  /**
   * A process that there is.
   *
   * @param started in clock ticks since boot; empty where it cannot be told
   * @param user its numeric id; empty where it cannot be told
   */
  record Seen(OptionalLong started, OptionalLong user) {}

  /**
   * The inode of the PID namespace in which {@link #find} looks; empty where that is not known, or
   * where processes of others may be hidden from it.
   */
  OptionalLong namespace();

  /** One process; empty where there is none of that number. */
  Optional<Seen> find(long pid);
}
