package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** What the log asks of a disk when it writes; each of these can fail. */
interface Storage {

  /** A file that is open for writing. */
  interface OpenFile extends Closeable {

    /** Writes some of these bytes, maybe not all, behind what was written last. */
    void write(ByteBuffer bytes) throws IOException;

    /** Returns once all of it is on the disk. */
    void force() throws IOException;

    /** Cuts the file off; what is written next follows there. */
    void truncate(long size) throws IOException;
  }

  /** Opens a file, or makes it, to write behind its first {@code size} bytes. */
  OpenFile open(Path file, long size) throws IOException;

  /** Renames a file within its directory. */
  void move(Path from, Path to) throws IOException;

  void delete(Path file) throws IOException;

  /** Returns once the names of a directory's files are on the disk. */
  void forceNames(Path directory) throws IOException;
}
