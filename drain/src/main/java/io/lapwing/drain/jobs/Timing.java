package io.lapwing.drain.jobs;

/** When a job on a drained node is to end. */
public sealed interface Timing {

  /** For people. */
  String why();

  /** Waiting for it is worth nothing. */
  record EndNow(String why) implements Timing {}

  /** When its next checkpoint is durable. */
  record AtCheckpoint(String why) implements Timing {}

  /** When it ends by itself. */
  record AtJobEnd(String why) implements Timing {}
}
