package io.lapwing.common.text;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read or written, without its name, often all of Java's message. */
public final class FileProblem {

  private FileProblem() {}

  /** {@code permission denied}, for a message that names the file itself. */
  public static String of(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (failure instanceof CharacterCodingException) {
      return "not UTF-8 text";
    }
    String why =
        failure instanceof FileSystemException named ? named.getReason() : failure.getMessage();
    return why == null ? failure.getClass().getSimpleName() : why;
  }
}
