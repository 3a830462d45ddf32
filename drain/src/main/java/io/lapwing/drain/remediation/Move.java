package io.lapwing.drain.remediation;

/** What comes next for a remediation. */
sealed interface Move {

  /**
   * Nothing, for now.
   *
   * @param why for people
   * @param state differs only in what need not survive a restart
   */
  record Stay(String why, Remediation state) implements Move {}

  /**
   * A new phase, without any command.
   *
   * @param why for people
   */
  record Go(String why, Remediation state) implements Move {}

  /**
   * A command. The state is written down before it: that it may have been carried out.
   *
   * @param why for people
   */
  record Do(Command command, String why, Remediation state) implements Move {}

  /** What can be commanded. */
  enum Command {
    DRAIN,
    REPAIR,
    RESUME
  }
}
