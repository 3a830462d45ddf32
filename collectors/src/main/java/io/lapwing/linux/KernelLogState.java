package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Whether the kernel's log is read, and from where. */
public sealed interface KernelLogState {

  enum Kind {
    /** The device, or a FIFO in its place. */
    KMSG,
    /** A regular file of records in the device's format. */
    FILE
  }

  record Following(Path path, Kind kind) implements KernelLogState {}

  /**
   * Opening is retried after {@code no_permission}, {@code not_found} or {@code io}; {@code why} is
   * the system's message, {@code remedy} what an operator can do.
   */
  record Unavailable(String reason, String why, String remedy) implements KernelLogState {}

  /**
   * A log file replaces the device. Without sequences, dropped messages are not counted as lost,
   * and a forged kernel message cannot be recognised.
   */
  record Fallback(Path path, String why) implements KernelLogState {}

  /** Derives the reason and the remedy from a failure. */
  static Unavailable unavailable(Path path, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return new Unavailable(
          "not_found",
          path + " does not exist",
          "mount the host's /dev/kmsg into the container, or set --path.kmsg");
    }
    String message = message(failure);
    return failure instanceof AccessDeniedException || message.contains("not permitted")
        ? new Unavailable(
            "no_permission",
            path + " cannot be read: " + message,
            "give the agent CAP_SYSLOG or run it as root")
        : new Unavailable(
            "io",
            path + " cannot be read: " + message,
            "check that dmesg can read it; the agent keeps retrying");
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
