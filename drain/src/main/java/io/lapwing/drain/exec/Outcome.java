package io.lapwing.drain.exec;

import java.time.Duration;

/** What came of a program. */
public sealed interface Outcome {

  /**
   * It ended by itself.
   *
   * @param code 128 and more if a signal ended it
   */
  record Exited(int code, String output, String errors) implements Outcome {}

  /**
   * It was never started: it does not exist, or may not be run.
   *
   * @param why for people
   */
  record NotStarted(String why) implements Outcome {}

  /**
   * It was killed, with all its children. It may have done its work before.
   *
   * @param errors what it had written to standard error
   */
  record TimedOut(Duration timeout, String errors) implements Outcome {}

  /** It was killed because it wrote more than it may. It may have done its work before. */
  record TooMuchOutput(int limit) implements Outcome {}
}
