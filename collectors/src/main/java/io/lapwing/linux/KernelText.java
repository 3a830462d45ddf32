package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of several lines that the kernel generates on each read. A last line without a newline was
 * truncated, perhaps within a number, and is dropped.
 */
public record KernelText(String file, List<String> lines) {

  /** Ten times the largest such file seen. */
  private static final int MAX_BYTES = 64 * 1024;

  public KernelText {
    lines = List.copyOf(lines);
  }

  /** Splits a text into lines; line ends may be {@code \r }. */
  public static KernelText of(String file, String text) {
    int end = text.lastIndexOf('\n');
    return new KernelText(file, end < 0 ? List.of() : text.substring(0, end).lines().toList());
  }

  /** Reads a whole file; missing if it does not exist. */
  public static Reading<KernelText> read(Path path) {
    String file = path.toString();
    return SmallFile.kernel(path, MAX_BYTES)
        .map(bytes -> of(file, new String(bytes, StandardCharsets.ISO_8859_1)));
  }

  /** Unexpected content in the line with this index, from 0. */
  public ParseFailure failure(int index, String why) {
    return new ParseFailure(file, index + 1, why);
  }
}
