package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * An exclusive lock against other agents on the same directory. The kernel releases it when the
 * process ends in any way; the file stays.
 */
final class DirectoryLock implements Closeable {

  /** Another agent has the lock. */
  static final class LockedException extends FileSystemException {
    private static final long serialVersionUID = 1;

    LockedException(Path lock) {
      super(lock.toString(), null, "locked by another agent");
    }
  }

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock without waiting.
   *
   * @throws LockedException if another process or another log of this one has it
   */
  static DirectoryLock take(Path lock) throws IOException {
    FileChannel channel = DiskStorage.channel(lock);
    try {
      if (!tryLock(channel)) {
        throw new LockedException(lock);
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ofThisProcess) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
