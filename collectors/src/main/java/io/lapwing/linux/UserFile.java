package io.lapwing.linux;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A regular file in a folder that any user may write to. Its name may be exchanged for a FIFO or a
 * link at any moment, so the open neither waits (for the other end of a FIFO, or for the holder of
 * a lease) nor follows a link, and what was opened is checked by its descriptor.
 */
public final class UserFile implements AutoCloseable {

  private final FileChannel channel;
  private final Attributes attributes;

  private UserFile(FileChannel channel, Attributes attributes) {
    this.channel = channel;
    this.attributes = attributes;
  }

  /**
   * Opens a file for reading.
   *
   * @throws NotRegularException for a link, folder, FIFO, socket or device
   */
  public static UserFile open(Path path) throws IOException {
    return opened(path, FileCalls.open(path));
  }

  /**
   * The same below a folder, where no part of the {@code relative} path is a link: of a folder that
   * a user can write, a link may lead to any device or file system.
   */
  public static UserFile open(Path folder, Path relative) throws IOException {
    return opened(folder.resolve(relative), FileCalls.open(folder, relative));
  }

  private static UserFile opened(Path path, int descriptor) throws IOException {
    try {
      Path self = FileCalls.path(descriptor);
      Attributes attributes = Attributes.of(self);
      if (!attributes.isRegular()) {
        throw new NotRegularException(path);
      }
      return new UserFile(FileChannel.open(self, StandardOpenOption.READ), attributes);
    } finally {
      FileCalls.close(descriptor);
    }
  }

  public FileChannel channel() {
    return channel;
  }

  /** As they were when it was opened. */
  public Attributes attributes() {
    return attributes;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException alreadyGone) {
      // Opened for reading: nothing can be lost.
    }
  }

  /**
   * The holder of the write lock (fcntl) on the first byte of a file. The kernel removes the lock
   * whenever its process ends. Only a process that may write to the file can have it.
   *
   * @param file what the name must still refer to; otherwise the lock is free
   */
  public static Lock lock(Path path, Attributes file) throws IOException {
    int descriptor = FileCalls.open(path);
    try {
      return Attributes.of(FileCalls.path(descriptor)).isSameFile(file)
          ? FileCalls.lock(path, descriptor)
          : Lock.FREE;
    } finally {
      FileCalls.close(descriptor);
    }
  }

  /**
   * A lock.
   *
   * @param held whether another process has it
   * @param pid in this process's own PID namespace; empty if it is free, if its process is not
   *     visible there, or if it belongs to a descriptor and not to a process
   */
  public record Lock(boolean held, OptionalLong pid) {

    public static final Lock FREE = new Lock(false, OptionalLong.empty());
  }

  /** From stat(2). */
  public record Attributes(
      int mode, long user, long size, Instant modified, long device, long inode) {

    private static final int KIND = 0170000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;
    private static final int STICKY = 01000;
    private static final String NAMES = "unix:mode,uid,size,lastModifiedTime,dev,ino";

    /** Of a name; links are not followed. */
    public static Attributes at(Path path) throws IOException {
      return of(Files.readAttributes(path, NAMES, LinkOption.NOFOLLOW_LINKS));
    }

    private static Attributes of(Path descriptor) throws IOException {
      return of(Files.readAttributes(descriptor, NAMES));
    }

    private static Attributes of(Map<String, Object> all) throws IOException {
      if (all.get("lastModifiedTime") instanceof FileTime modified) {
        return new Attributes(
            (int) number(all, "mode"),
            number(all, "uid"),
            number(all, "size"),
            modified.toInstant(),
            number(all, "dev"),
            number(all, "ino"));
      }
      throw new IOException("no lastModifiedTime");
    }

    private static long number(Map<String, Object> all, String name) throws IOException {
      if (all.get(name) instanceof Number number) {
        return number.longValue();
      }
      throw new IOException("no " + name);
    }

    public boolean isRegular() {
      return (mode & KIND) == REGULAR;
    }

    public boolean isLink() {
      return (mode & KIND) == LINK;
    }

    /** Of a folder: only the owner of an entry may remove it. */
    public boolean isSticky() {
      return (mode & STICKY) != 0;
    }

    public boolean isSameFile(Attributes other) {
      return device == other.device && inode == other.inode;
    }
  }

  /** The name does not refer to a regular file. */
  public static final class NotRegularException extends FileSystemException {

    private static final long serialVersionUID = 1L;

    NotRegularException(Path path) {
      super(path.toString(), null, "not a regular file");
    }
  }
}
