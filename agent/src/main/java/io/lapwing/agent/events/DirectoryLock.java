package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;

/**
 * Keeps other agents from writing to the same directory. The kernel gives it back when the process
 * ends, however it ends; the file stays.
 */
final class DirectoryLock implements Closeable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes it.
   *
   * @throws LockedException where another has it
   */
  static DirectoryLock take(Path lock) throws IOException {
    FileChannel channel = DiskStorage.channel(lock);
    try {
      if (!isTaken(channel)) {
        throw new LockedException(lock);
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean isTaken(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // It is this process that has it already.
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
