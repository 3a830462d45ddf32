package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

interface Storage {

  interface OpenFile extends Closeable {

    /** Writes some of the remaining bytes, maybe not all, at the end. */
    void write(ByteBuffer bytes) throws IOException;

    /** Returns when all of it is on the disk. */
    void force() throws IOException;

    /** Cuts the file off; the next write continues there. */
    void truncate(long size) throws IOException;
  }

  /** Opens or creates a file to write after its first {@code size} bytes, and drops the rest. */
  OpenFile open(Path file, long size) throws IOException;

  void move(Path from, Path to) throws IOException;

  void delete(Path file) throws IOException;

  /** Returns when the names in a directory are on the disk. */
  void forceNames(Path directory) throws IOException;

  /** The file system of this node. */
  enum DiskStorage implements Storage {
    INSTANCE;

    private static final Set<OpenOption> WRITE =
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE);

    /** Creates a directory that its owner writes and its group reads. */
    static void createDirectory(Path directory) throws IOException {
      Files.createDirectory(directory, mode("rwxr-x---"));
    }

    /** Opens a file; creates it so that its owner writes and its group reads it. */
    static FileChannel channel(Path file) throws IOException {
      return FileChannel.open(file, WRITE, mode("rw-r-----"));
    }

    private static FileAttribute<Set<PosixFilePermission>> mode(String letters) {
      return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(letters));
    }

    @Override
    public OpenFile open(Path file, long size) throws IOException {
      FileChannel channel = channel(file);
      try {
        channel.truncate(size).position(size);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      return new OpenChannel(channel);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path file) throws IOException {
      Files.deleteIfExists(file);
    }

    @Override
    public void forceNames(Path directory) throws IOException {
      try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
        names.force(true);
      }
    }

    private record OpenChannel(FileChannel channel) implements OpenFile {

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
      }

      @Override
      public void force() throws IOException {
        channel.force(false);
      }

      @Override
      public void truncate(long size) throws IOException {
        channel.truncate(size);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    }
  }
}
