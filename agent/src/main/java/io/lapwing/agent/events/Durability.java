package io.lapwing.agent.events;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/** Whether events survive this process. */
public sealed interface Durability {

  /** All appended events are on the disk. */
  record Durable() implements Durability {}

  /**
   * Later events are in memory only, and written as soon as that works again.
   *
   * @param since when writing first failed, for any reason
   * @param path the file or directory that could not be written
   * @param why the message of the operating system, if there is one
   */
  record NotDurable(Reason reason, Instant since, Path path, String why) implements Durability {}

  /** Why the log cannot be written. */
  enum Reason {
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

    /** As in logs and metrics: {@code disk_full}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
