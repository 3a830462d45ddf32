package io.lapwing.agent.events;

import java.io.IOException;
import java.io.InputStream;

/**
 * The lines of a stream, one after the other, in memory that does not grow: a line longer than any
 * that is ever written is passed over.
 */
final class LogLines {

  /** The longest line there is has 2,000 characters of message and some names, six bytes each. */
  static final int MOST_BYTES = 64 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[MOST_BYTES];
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

  /** Goes to the next line; false where there is none. */
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

  /** Moves the line to the start of the buffer; a line that fills it is given up. */
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

  /** In bytes, without the line's end; meaningless where it is too long. */
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

  /** Where the next one does. */
  long end() {
    return bufferStart + next;
  }

  /** Whether it ends in a line feed, as all but the last one do. */
  boolean isEnded() {
    return ended;
  }

  boolean isTooLong() {
    return tooLong;
  }
}
