package io.lapwing.nvml;

import com.sun.jna.Memory;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for the lists of one GPU, allocated once and reused: each allocation costs a
 * wake-up of the thread that frees it. Longer lists are rare and have their own. Not thread-safe.
 */
final class Room {

  private static final long KEPT = 8 << 10;

  private @Nullable Memory kept;

  /** Zeroed, of at least that size; valid until the next call. */
  Memory of(long bytes) {
    if (bytes > KEPT) {
      return zeroed(new Memory(bytes), bytes);
    }
    Memory room = kept;
    if (room == null) {
      room = new Memory(KEPT);
      kept = room;
    }
    return zeroed(room, bytes);
  }

  private static Memory zeroed(Memory room, long bytes) {
    room.clear(bytes);
    return room;
  }
}
