package io.lapwing.linux;

import java.nio.ByteBuffer;

/** Splits input into records; one of more than {@link #CAPACITY} bytes is truncated. */
final class RecordBuffer {

  static final int CAPACITY = 64 * 1024;

  /** Takes one record with its final newline. */
  interface Sink {
    void record(byte[] bytes, int from, int to) throws InterruptedException;
  }

  private final byte[] bytes = new byte[CAPACITY];
  private final ByteBuffer room = ByteBuffer.wrap(bytes);
  private final boolean continued;
  private final KernelLogTally tally;
  private boolean dropping;

  /** If {@code continued}, a line that starts with a space belongs to the previous record. */
  RecordBuffer(boolean continued, KernelLogTally tally) {
    this.continued = continued;
    this.tally = tally;
  }

  /** Where to read into; never full. */
  ByteBuffer room() {
    return room;
  }

  void clear() {
    room.clear();
    dropping = false;
  }

  /** Drops everything up to the next line end. */
  void dropToLineEnd() {
    dropping = true;
  }

  /** Passes on the whole records, also the last one if {@code all} was read. */
  void take(boolean all, Sink sink) throws InterruptedException {
    int end = room.position();
    int from = dropped(end);
    int next = recordEnd(from, end, all);
    while (next > from) {
      sink.record(bytes, from, next);
      from = next;
      next = recordEnd(from, end, all);
    }
    keep(from, end);
    if (!room.hasRemaining()) {
      sink.record(bytes, 0, CAPACITY);
      room.clear();
      dropping = bytes[CAPACITY - 1] != '\n';
      if (dropping) {
        tally.cut();
      }
    }
  }

  private int dropped(int end) {
    if (!dropping) {
      return 0;
    }
    int newline = newline(0, end);
    dropping = newline == end;
    return dropping ? end : newline + 1;
  }

  /** The end of the record at {@code from}; {@code from} itself if the record is incomplete. */
  private int recordEnd(int from, int end, boolean all) {
    int next = newline(from, end) + 1;
    while (continued && next < end && bytes[next] == ' ') {
      next = newline(next, end) + 1;
    }
    boolean whole = continued ? next < end || (next == end && all) : next <= end;
    return whole ? next : from;
  }

  /** The index of the next newline, or {@code end}. */
  private int newline(int from, int end) {
    int at = from;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  private void keep(int from, int end) {
    room.clear().position(from).limit(end);
    room.compact();
  }
}
