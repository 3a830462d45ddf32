package io.lapwing.agent.events;

import io.lapwing.metric.LabelWord;
import java.nio.file.Path;
import java.time.Instant;

public sealed interface Durability {

  /** All appended events are on the disk. */
  record Durable() implements Durability {}

  /**
   * Later events are in memory only, and written once that works again. {@code since}: the first
   * failure for any reason; {@code why}: the system's message, if any.
   */
  record NotDurable(Reason reason, Instant since, Path path, String why) implements Durability {}

  /** Why the log cannot be written. */
  enum Reason implements LabelWord {
    DISK_FULL,
    READ_ONLY,
    NO_PERMISSION,
    /** Neither the directory nor its parent exists. */
    MISSING,
    /** Another agent writes to this directory. */
    LOCKED,
    /** A write does not return. */
    HANGS,
    IO;
  }
}
