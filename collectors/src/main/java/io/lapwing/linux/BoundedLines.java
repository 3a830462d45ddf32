package io.lapwing.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The lines of a stream without newlines, each truncated at 64 KiB. */
final class BoundedLines {

  static final int MAX_LENGTH = RecordBuffer.CAPACITY;

  private final InputStream in;
  private final byte[] read = new byte[16 * 1024];
  private final byte[] line = new byte[MAX_LENGTH];
  private int at;
  private int end;
  private int length;
  private long cut;

  BoundedLines(InputStream in) {
    this.in = in;
  }

  /** Moves to the next line; false at the end of the stream. */
  boolean next() throws IOException {
    if (!more()) {
      return false;
    }
    length = 0;
    boolean whole = true;
    boolean ended = false;
    while (!ended && more()) {
      int stop = newline();
      whole &= keep(stop - at);
      ended = stop < end;
      at = ended ? stop + 1 : stop;
    }
    cut += whole ? 0 : 1;
    return true;
  }

  private boolean more() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(read));
    }
    return end > 0;
  }

  private int newline() {
    int stop = at;
    while (stop < end && read[stop] != '\n') {
      stop++;
    }
    return stop;
  }

  private boolean keep(int count) {
    int fits = Math.min(count, MAX_LENGTH - length);
    System.arraycopy(read, at, line, length, fits);
    length += fits;
    return fits == count;
  }

  /** Reads the next bytes, newlines included; keeps at most {@link #MAX_LENGTH} of them. */
  byte[] bytes(long count) throws IOException {
    length = 0;
    long left = count;
    while (left > 0 && more()) {
      int part = (int) Math.min(left, end - at);
      keep(part);
      at += part;
      left -= part;
    }
    return Arrays.copyOf(line, length);
  }

  /** The bytes of this line, from 0 to {@link #length()}; valid until the next line. */
  byte[] line() {
    return line;
  }

  int length() {
    return length;
  }

  /** This line; bytes that are not UTF-8 become U+FFFD. */
  String text() {
    int visible = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    return new String(line, 0, visible, StandardCharsets.UTF_8);
  }

  boolean startsWith(String ascii) {
    return length >= ascii.length()
        && new String(line, 0, ascii.length(), StandardCharsets.ISO_8859_1).equals(ascii);
  }

  boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  long cut() {
    return cut;
  }
}
