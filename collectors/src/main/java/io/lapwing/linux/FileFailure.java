package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Map;

/** Why a file of the kernel could not be read, in a word. */
final class FileFailure {

  static final String GONE = "gone";
  static final String IO = "io";

  /**
   * The JDK hands on the C library's text and not the number. In another language than English it
   * is none of these, and the word is {@link #IO}.
   */
  private static final Map<String, String> WORDS =
      Map.of(
          "Permission denied", "no_permission",
          "Operation not permitted", "no_permission",
          "No such device", GONE,
          "No such device or address", GONE,
          "Stale file handle", GONE,
          "Operation not supported", "unsupported",
          "Invalid argument", "invalid",
          "Timer expired", "timed_out",
          "Connection timed out", "timed_out",
          "Cannot allocate memory", "no_memory");

  private FileFailure() {}

  /** A word fit for a label. */
  static String word(IOException failure) {
    if (failure instanceof AccessDeniedException) {
      return "no_permission";
    }
    String text =
        failure instanceof FileSystemException named ? named.getReason() : failure.getMessage();
    return text == null ? IO : WORDS.getOrDefault(text, IO);
  }
}
