package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The write operations that the log needs of a file system. */
interface Storage {

  /** A file open for writing. */
  interface OpenFile extends Closeable {

    /** Writes some of the remaining bytes, maybe not all, at the end. */
    void write(ByteBuffer bytes) throws IOException;

    /** Returns when all of it is on the disk. */
    void force() throws IOException;

    /** Cuts the file off; the next write continues there. */
    void truncate(long size) throws IOException;
  }

  /** Opens or creates a file to write behind its first {@code size} bytes, and drops the rest. */
  OpenFile open(Path file, long size) throws IOException;

  /** Renames a file within its directory. */
  void move(Path from, Path to) throws IOException;

  void delete(Path file) throws IOException;

  /** Returns when the names in a directory are on the disk. */
  void forceNames(Path directory) throws IOException;
}
