package io.lapwing.agent.events;

import java.io.IOException;
import java.io.InputStream;

/**
 * The lines of a stream, one after the other, in a fixed buffer. The content of lines that do not
 * fit is skipped.
 */
final class LogLines {

  /** The longest event has 2,000 characters of message and some names, six bytes each. */
  static final int MAX_BYTES = 64 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[MAX_BYTES];
  private int lineStart;
  private int lineEnd;
  private int filled;
  private int next;
  private long bufferStart;
  private long start;
  private long number;
  private boolean ended;
  private boolean tooLong;

  LogLines(InputStream in) {
    this.in = in;
  }

  /** Advances to the next line; false at the end. */
  boolean next() throws IOException {
    lineStart = next;
    start = bufferStart + next;
    tooLong = false;
    number++;
    int look = lineStart;
    while (true) {
      int end = lineFeed(look);
      if (end >= 0) {
        return found(end, end + 1, true);
      }
      makeRoom();
      look = filled;
      int read = in.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        return found(filled, filled, false) && (tooLong || lineEnd > lineStart);
      }
      filled += read;
    }
  }

  private boolean found(int end, int after, boolean hasEnd) {
    lineEnd = end;
    next = after;
    ended = hasEnd;
    return true;
  }

  private int lineFeed(int from) {
    for (int i = from; i < filled; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Moves the line to the start of the buffer; a line that fills it is dropped. */
  private void makeRoom() {
    if (lineStart == 0 && filled == buffer.length) {
      tooLong = true;
      lineStart = filled;
    }
    System.arraycopy(buffer, lineStart, buffer, 0, filled - lineStart);
    bufferStart += lineStart;
    filled -= lineStart;
    lineStart = 0;
  }

  byte[] buffer() {
    return buffer;
  }

  /** Where the line starts in the buffer. */
  int from() {
    return lineStart;
  }

  /** In bytes, without the line feed; undefined for a line that is too long. */
  int length() {
    return lineEnd - lineStart;
  }

  /** From 1. */
  long number() {
    return number;
  }

  /** Where the line starts in the stream. */
  long start() {
    return start;
  }

  /** Where the next line starts. */
  long end() {
    return bufferStart + next;
  }

  /** Whether it has a line feed; the last line may lack it. */
  boolean isEnded() {
    return ended;
  }

  boolean isTooLong() {
    return tooLong;
  }
}
