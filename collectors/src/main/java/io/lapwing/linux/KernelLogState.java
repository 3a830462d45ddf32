package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Whether the kernel's messages are heard, and from where. */
public sealed interface KernelLogState {

  /** What the messages are read from. */
  enum Kind {
    /** The device itself, or a FIFO in its place. */
    KMSG,
    /** A regular file of records in the form of the device. */
    FILE
  }

  /** The log that was asked for is read. */
  record Following(Path path, Kind kind) implements KernelLogState {}

  /**
   * Nothing is heard; it is tried again.
   *
   * @param reason {@code no_permission}, {@code not_found} or {@code io}
   * @param why a sentence that names the file
   * @param remedy what an operator can do
   */
  record Unavailable(String reason, String why, String remedy) implements KernelLogState {}

  /**
   * A log file is read in place of the device. It tells no sequences, so a message that syslog
   * dropped is not known to be lost; and what it says to be of the kernel is believed.
   *
   * @param path of the log file
   * @param why the device is not read
   */
  record Fallback(Path path, String why) implements KernelLogState {}

  /** Why a log cannot be read, as the failure tells it. */
  static Unavailable unavailable(Path path, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return new Unavailable(
          "not_found",
          "there is no " + path,
          "mount the host's /dev/kmsg into the container, or name the file with --path.kmsg");
    }
    String message = message(failure);
    return failure instanceof AccessDeniedException || message.contains("not permitted")
        ? new Unavailable(
            "no_permission",
            path + " must not be read: " + message,
            "give the agent CAP_SYSLOG or run it as root")
        : new Unavailable(
            "io",
            path + " cannot be read: " + message,
            "read it by hand, such as with dmesg; the agent goes on trying");
  }

  private static String message(IOException failure) {
    Optional<String> reason =
        failure instanceof FileSystemException named
            ? Optional.ofNullable(named.getReason())
            : Optional.ofNullable(failure.getMessage());
    return reason.orElse(
        failure instanceof AccessDeniedException
            ? "permission denied"
            : failure.getClass().getSimpleName());
  }
}
