package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of several lines that the kernel writes while it is read. A last line without its end was
 * cut off, perhaps within a number, and is none.
 *
 * @param file where it came from, for who reads of a failure
 * @param lines without their ends
 */
public record KernelText(String file, List<String> lines) {

  /** More than any such file has been seen to hold by a factor of ten. */
  private static final int MAX_BYTES = 64 * 1024;

  public KernelText {
    lines = List.copyOf(lines);
  }

  /** The lines of a text; an end of line may be {@code \r\n}. */
  public static KernelText of(String file, String text) {
    int end = text.lastIndexOf('\n');
    return new KernelText(file, end < 0 ? List.of() : text.substring(0, end).lines().toList());
  }

  /** All of a file; one that is not there is missing, not a failure. */
  public static Reading<KernelText> read(Path path) {
    String file = path.toString();
    return SmallFile.kernel(path, MAX_BYTES)
        .map(bytes -> of(file, new String(bytes, StandardCharsets.ISO_8859_1)));
  }

  /**
   * That a line does not say what it should.
   *
   * @param index of the line, from 0
   */
  public ParseFailure failure(int index, String why) {
    return new ParseFailure(file, index + 1, why);
  }
}
