package io.lapwing.linux;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One open kernel log. An interrupt ends a blocked read. */
interface RecordReader extends Closeable {

  long POLL_MILLIS = 250;

  /** The result of a read. */
  enum Got {
    /** Some bytes; fewer than fit if no more are available. */
    BYTES,
    /** No bytes are available, and reads do not block. */
    NOTHING_YET,
    /** The log was replaced or truncated; the next read starts at its beginning. */
    RESTARTED
  }

  /** Throws after EPIPE (an overwritten record); the next read returns the oldest left. */
  Got read(ByteBuffer into) throws IOException;

  /** Waits before the next read, after {@link Got#NOTHING_YET}. */
  default void awaitMore() throws InterruptedException {
    Thread.sleep(POLL_MILLIS);
  }
}
