package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a file could not be read: a closed set of reasons, usable as a label value. */
public final class FileFailure {

  public static final String NO_PERMISSION = "no_permission";
  public static final String TOO_LARGE = "too_large";
  public static final String MALFORMED = "malformed";
  public static final String NOT_A_FILE = "not_a_file";
  public static final String NOT_A_FOLDER = "not_a_folder";
  public static final String GONE = "gone";
  static final String IO = "io";

  /** ENOENT, and ESRCH of a process that ended between the opening and the read. */
  private static final Set<String> ABSENT = Set.of("No such file or directory", "No such process");

  /**
   * The JDK passes on the C library's text, not the number. In a locale other than English the
   * reason is {@link #IO}: the launchers set {@code LC_ALL=C.UTF-8}.
   */
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("Permission denied", NO_PERMISSION),
          Map.entry("Operation not permitted", NO_PERMISSION),
          Map.entry("No such file or directory", GONE),
          Map.entry("No such process", GONE),
          Map.entry("No such device", GONE),
          Map.entry("No such device or address", GONE),
          Map.entry("Stale file handle", GONE),
          Map.entry("Operation not supported", "unsupported"),
          Map.entry("Invalid argument", "invalid"),
          Map.entry("Timer expired", "timed_out"),
          Map.entry("Connection timed out", "timed_out"),
          Map.entry("Cannot allocate memory", "no_memory"));

  private FileFailure() {}

  /** The reason: {@code no_permission}, {@code gone}, {@code timed_out} ...; else {@code io}. */
  public static String reason(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return NO_PERMISSION;
    }
    if (failure instanceof NoSuchFileException) {
      return GONE;
    }
    if (failure instanceof NotDirectoryException) {
      return NOT_A_FOLDER;
    }
    String text = text(failure);
    return text == null ? IO : REASONS.getOrDefault(text, IO);
  }

  /** Missing if the file does not exist or its process has ended; otherwise failed. */
  public static <T> Reading<T> reading(String question, IOException failure) {
    String text = text(failure);
    return failure instanceof NoSuchFileException || (text != null && ABSENT.contains(text))
        ? new Reading.Missing<>(question)
        : new Reading.Failed<>(question, reason(failure));
  }

  private static @Nullable String text(IOException failure) {
    if (failure instanceof FileSystemException named) {
      return named.getReason();
    }
    String message = failure.getMessage();
    return failure instanceof FileNotFoundException && message != null
        ? behindPath(message)
        : message;
  }

  /** {@code /sys/a (Permission denied)}: the stream of a file has that for every failed open. */
  private static String behindPath(String message) {
    int reason = message.lastIndexOf(" (");
    return reason < 0 || !message.endsWith(")")
        ? message
        : message.substring(reason + 2, message.length() - 1);
  }
}
