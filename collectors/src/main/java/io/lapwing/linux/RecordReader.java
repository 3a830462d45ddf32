package io.lapwing.linux;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One open kernel log. A thread that waits in it is freed by an interrupt. */
interface RecordReader extends Closeable {

  /** What came of a read. */
  enum Got {
    /** Some bytes; fewer than there was room for where nothing more was there. */
    BYTES,
    /** Nothing is there yet, and reading would not wait. */
    NOTHING_YET,
    /** The log was replaced or emptied: what comes next begins anew. */
    ANEW
  }

  /**
   * Reads what fits.
   *
   * @throws IOException also where the kernel overwrote what was next (EPIPE); the next read then
   *     gives the oldest record that is left
   */
  Got read(ByteBuffer into) throws IOException;
}
