package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of several lines that the kernel generates on each read. A last line without a newline was
 * truncated, perhaps within a number, and is dropped. For one thread.
 */
public final class KernelText {

  /** Ten times the largest such file seen. */
  private static final int MAX_BYTES = 64 * 1024;

  private final String file;
  private final byte[] bytes;

  /** Split when they are first asked for: the text may be the one that was read before. */
  private @Nullable List<String> lines;

  private KernelText(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** A text in ISO 8859-1. */
  public static KernelText of(String file, String text) {
    return new KernelText(file, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Reads a whole file; missing if it does not exist. */
  public static Reading<KernelText> read(Path path) {
    return SmallFile.kernel(path, MAX_BYTES).map(bytes -> new KernelText(path.toString(), bytes));
  }

  /** The lines; their ends may be {@code \n}, {@code \r\n} or {@code \r}. */
  public List<String> lines() {
    List<String> split = lines;
    if (split == null) {
      split = split();
      lines = split;
    }
    return split;
  }

  /** Without a string of the whole text. */
  private List<String> split() {
    int end = bytes.length - 1;
    while (end >= 0 && bytes[end] != '\n') {
      end--;
    }
    List<String> split = new ArrayList<>();
    int from = 0;
    while (from < end) {
      int to = from;
      while (to < end && bytes[to] != '\n' && bytes[to] != '\r') {
        to++;
      }
      split.add(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
      boolean two = to + 1 < end && bytes[to] == '\r' && bytes[to + 1] == '\n';
      from = to + (two ? 2 : 1);
    }
    return Collections.unmodifiableList(split);
  }

  /** The same text without its lines, which take several times its memory. */
  public KernelText unsplit() {
    return new KernelText(file, bytes);
  }

  /**
   * Whether another text is the same but for digits of lines that begin with one of these words,
   * after spaces.
   */
  public boolean sameBut(List<String> words, KernelText other) {
    int at = Arrays.mismatch(bytes, other.bytes);
    if (at >= 0 && bytes.length != other.bytes.length) {
      return false;
    }
    while (at >= 0) {
      if (!isDigit(bytes[at]) || !isDigit(other.bytes[at]) || !begins(at, words)) {
        return false;
      }
      int rest = at + 1;
      int next = Arrays.mismatch(bytes, rest, bytes.length, other.bytes, rest, bytes.length);
      at = next < 0 ? next : rest + next;
    }
    return true;
  }

  private static boolean isDigit(byte one) {
    return one >= '0' && one <= '9';
  }

  /** Whether the line around a position begins with one of the words. */
  private boolean begins(int at, List<String> words) {
    int start = at;
    while (start > 0 && bytes[start - 1] != '\n') {
      start--;
    }
    while (start < at && bytes[start] == ' ') {
      start++;
    }
    for (int i = 0; i < words.size(); i++) { // without an iterator: once for each digit
      if (at - start >= words.get(i).length() && hasAt(start, words.get(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean hasAt(int start, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (bytes[start + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Unexpected content in the line with this index, from 0. */
  public ParseFailure failure(int index, String why) {
    return new ParseFailure(file, index + 1, why);
  }
}
