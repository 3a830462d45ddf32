package io.lapwing.agent.events;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/** Whether what happens outlives this process. */
public sealed interface Durability {

  /** All that was appended is on the disk. */
  record Durable() implements Durability {}

  /**
   * What happened since is in memory only. It is written as soon as that works again.
   *
   * @param since when writing first failed, whatever the reason was then
   * @param path the file or directory that could not be written
   * @param why in the words of the operating system, where it had any
   */
  record NotDurable(Reason reason, Instant since, Path path, String why) implements Durability {}

  /** What keeps the log from being written. */
  enum Reason {
    DISK_FULL,
    READ_ONLY,
    NO_PERMISSION,
    /** There is no such directory, and none to make it in. */
    MISSING,
    /** Another agent writes to this directory. */
    LOCKED,
    /** The disk takes what is written and does not come back. */
    HANGS,
    IO;

    /** As it stands on the page: {@code disk_full}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
