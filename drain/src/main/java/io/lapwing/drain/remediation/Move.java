package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.Job;
import java.util.Optional;

/** What comes next for a remediation. */
sealed interface Move {

  /**
   * Nothing, for now.
   *
   * @param why for people
   * @param state differs only in fields that need not survive a restart
   * @param person whether a person has to act
   * @param would the decision in mode act: {@code would drain: XID 79}
   */
  record Stay(String why, Remediation state, boolean person, Optional<Would> would)
      implements Move {

    Stay(String why, Remediation state, boolean person) {
      this(why, state, person, Optional.empty());
    }

    Stay(String why, Remediation state) {
      this(why, state, false);
    }
  }

  /**
   * A decision of a dry run.
   *
   * @param what would be done: {@code end job 4711}
   */
  record Would(String what, String why) {
    private static final String WORD = "would ";

    /** The journal has each kind once. */
    String kind() {
      return WORD + what;
    }

    /** As the journal has it. */
    @Override
    public String toString() {
      return kind() + ": " + why;
    }

    /** The kind of an entry of the journal; empty if it is of another sort. */
    static Optional<String> kind(String entry) {
      return entry.startsWith(WORD) ? Optional.of(entry.split(":", 2)[0]) : Optional.empty();
    }
  }

  /**
   * A new phase, without any command.
   *
   * @param why for people
   */
  record Go(String why, Remediation state) implements Move {}

  /**
   * A command. The state is recorded before it, since it may have been carried out.
   *
   * @param why for people
   * @param job to be ended
   */
  record Do(Command command, String why, Remediation state, Optional<Job> job) implements Move {
    Do(Command command, String why, Remediation state) {
      this(command, why, state, Optional.empty());
    }
  }

  /** The commands. */
  enum Command {
    DRAIN,
    END_JOB,
    RELEASE,
    EVICT,
    REPAIR,
    END_RELEASE,
    RESUME,
    LET_GO;

    /** Whether the journal has its effects. */
    boolean isDecision() {
      return this == DRAIN || this == END_JOB || this == EVICT || this == REPAIR;
    }
  }
}
