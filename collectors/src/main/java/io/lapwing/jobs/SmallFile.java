package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that others write, or procfs. Nothing but a regular file is opened, since opening a fifo
 * would wait for its writer; links are followed.
 */
final class SmallFile {

  static final String TOO_LARGE = "too_large";

  private SmallFile() {}

  /**
   * What is in it, as UTF-8.
   *
   * @param most bytes; of more it is too large
   */
  static Reading<String> whole(Path file, int most) {
    Reading<byte[]> bytes = bytes(file, most + 1);
    if (bytes instanceof Reading.Present<byte[]> present && present.value().length > most) {
      return new Reading.Failed<>(file.toString(), TOO_LARGE);
    }
    return bytes.map(content -> new String(content, StandardCharsets.UTF_8));
  }

  /** Its first bytes; a file that is not there, or whose process has ended, is missing. */
  static Reading<byte[]> bytes(Path file, int most) {
    try {
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        return new Reading.Failed<>(file.toString(), "not_a_file");
      }
      try (InputStream in = Files.newInputStream(file)) {
        return Reading.of(in.readNBytes(most));
      }
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(file.toString());
    } catch (IOException failed) {
      String why = word(failed);
      return why.equals("gone")
          ? new Reading.Missing<>(file.toString())
          : new Reading.Failed<>(file.toString(), why);
    }
  }

  /** Why a file could not be read: {@code no_permission}, {@code gone} or {@code io}. */
  static String word(IOException failed) {
    if (failed instanceof AccessDeniedException) {
      return "no_permission";
    }
    String text =
        failed instanceof FileSystemException named ? named.getReason() : failed.getMessage();
    if (text == null) {
      return "io";
    }
    return switch (text) {
      case "Permission denied", "Operation not permitted" -> "no_permission";
      case "No such process", "No such file or directory" -> "gone";
      default -> "io";
    };
  }
}
