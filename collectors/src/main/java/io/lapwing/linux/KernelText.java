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

  /** Computed on first use, since the text may be unchanged since the last read. */
  private int @Nullable [] bounds;

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
    return read(path, MAX_BYTES);
  }

  /** The same for a file that may be larger; {@code too_large} above {@code max} bytes. */
  public static Reading<KernelText> read(Path path, int max) {
    return SmallFile.kernel(path, max, (bytes, length) -> copy(path, bytes, length));
  }

  /**
   * As {@link #read(Path)}, but returns {@code last} itself if the file differs from it at most in
   * digits of lines that begin, after spaces, with one of these words. Those digits are then old.
   */
  public static Reading<KernelText> read(Path path, KernelText last, List<String> words) {
    return SmallFile.kernel(
        path,
        MAX_BYTES,
        (bytes, length) -> last.sameBut(words, bytes, length) ? last : copy(path, bytes, length));
  }

  private static KernelText copy(Path path, byte[] bytes, int length) {
    return new KernelText(path.toString(), Arrays.copyOf(bytes, length));
  }

  /** The lines; their ends may be {@code \n}, {@code \r\n} or {@code \r}. */
  public List<String> lines() {
    List<String> split = lines;
    if (split == null) {
      List<String> all = new ArrayList<>(size());
      for (int i = 0; i < size(); i++) {
        all.add(line(i));
      }
      split = Collections.unmodifiableList(all);
      lines = split;
    }
    return split;
  }

  /** How many lines there are. */
  public int size() {
    return bounds().length / 2;
  }

  /** The line with this index, from 0. */
  public String line(int index) {
    int from = begin(index);
    return new String(bytes, from, end(index) - from, StandardCharsets.ISO_8859_1);
  }

  /** Where a line begins, for {@link #at}. */
  public int begin(int index) {
    return bounds()[2 * index];
  }

  /** Where a line ends, without its end of line. */
  public int end(int index) {
    return bounds()[2 * index + 1];
  }

  /** The character at a position, without a string of its line. */
  public byte at(int position) {
    return bytes[position];
  }

  /** The number from 0 to 2^64-1 between two positions, or NaN; above 2^53 the nearest double. */
  public double number(int from, int to) {
    return KernelNumber.unsigned(bytes, from, to);
  }

  /** Whether a line ends with a word of ASCII. */
  public boolean endsWith(int index, String word) {
    int from = end(index) - word.length();
    return from >= begin(index) && hasAt(from, word);
  }

  private int[] bounds() {
    int[] found = bounds;
    if (found == null) {
      found = find();
      bounds = found;
    }
    return found;
  }

  /** Begin and end of each line. */
  private int[] find() {
    int end = bytes.length - 1;
    while (end >= 0 && bytes[end] != '\n') {
      end--;
    }
    int[] found = new int[64];
    int size = 0;
    int from = 0;
    while (from < end) {
      int to = from;
      while (to < end && bytes[to] != '\n' && bytes[to] != '\r') {
        to++;
      }
      if (size == found.length) {
        found = Arrays.copyOf(found, 2 * size);
      }
      found[size++] = from;
      found[size++] = to;
      boolean two = to + 1 < end && bytes[to] == '\r' && bytes[to + 1] == '\n';
      from = to + (two ? 2 : 1);
    }
    return Arrays.copyOf(found, size);
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
    return sameBut(words, other.bytes, other.bytes.length);
  }

  private boolean sameBut(List<String> words, byte[] other, int length) {
    if (bytes.length != length) {
      return false;
    }
    int from = 0;
    while (true) {
      int next = Arrays.mismatch(bytes, from, length, other, from, length);
      if (next < 0) {
        return true;
      }
      int at = from + next;
      if (!isDigit(bytes[at]) || !isDigit(other[at]) || !begins(at, words)) {
        return false;
      }
      from = at + 1;
    }
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
