package io.lapwing.linux;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import io.lapwing.linux.UserFile.Lock;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * open(2), openat2(2) and fcntl(2) with flags that the JDK lacks; numbers of x86-64 and of aarch64.
 */
final class FileCalls {

  private static final boolean IS_ARM = System.getProperty("os.arch", "").equals("aarch64");
  private static final int O_RDONLY = 0;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int O_NOFOLLOW = IS_ARM ? 0x8000 : 0x20000;
  private static final int O_DIRECTORY = IS_ARM ? 0x4000 : 0x10000;
  private static final int O_PATH = 0x200000;
  private static final int REGULAR_ONLY = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;

  /** The same number on all architectures; Linux 5.6 and newer. */
  private static final long OPENAT2 = 437;

  // struct open_how: flags, mode, resolve.
  private static final int OPEN_HOW_BYTES = 24;
  private static final int AT_RESOLVE = 16;
  private static final long RESOLVE_NO_SYMLINKS = 0x04;
  private static final long RESOLVE_BENEATH = 0x08;
  private static final int F_GETLK = 5;
  private static final short F_RDLCK = 0;
  private static final short F_UNLCK = 2;

  private static final int EPERM = 1;
  private static final int ENOENT = 2;
  private static final int ENXIO = 6;
  private static final int EACCES = 13;
  private static final int ENODEV = 19;
  private static final int ENOTDIR = 20;
  private static final int ELOOP = 40;

  // struct flock: type, whence, start, length, pid.
  private static final int FLOCK_BYTES = 32;
  private static final int AT_LENGTH = 16;
  private static final int AT_PID = 24;

  /** How the JDK turns a path into bytes. */
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private static final Libc LIBC = Native.load("c", Libc.class);

  private FileCalls() {}

  /** With the types of the headers; the first three take a variable number of arguments. */
  interface Libc extends Library {
    int open(byte[] path, int flags) throws LastErrorException;

    long syscall(long number, long folder, byte[] path, Memory how, long size)
        throws LastErrorException;

    int fcntl(int descriptor, int command, Memory lock) throws LastErrorException;

    int close(int descriptor);
  }

  /** A descriptor for reading; opening a FIFO or a leased file does not wait. */
  static int open(Path path) throws IOException {
    return open(path, REGULAR_ONLY);
  }

  private static int open(Path path, int flags) throws IOException {
    try {
      return LIBC.open(name(path), flags);
    } catch (LastErrorException failed) {
      throw failure(path, failed.getErrorCode());
    }
  }

  /** The same below a folder, without following any link; fails on a kernel before 5.6. */
  static int open(Path folder, Path relative) throws IOException {
    int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    try (Memory how = new Memory(OPEN_HOW_BYTES)) {
      how.clear();
      how.setLong(0, REGULAR_ONLY);
      how.setLong(AT_RESOLVE, RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
      return (int) LIBC.syscall(OPENAT2, root, name(relative), how, OPEN_HOW_BYTES);
    } catch (LastErrorException failed) {
      throw failure(folder.resolve(relative), failed.getErrorCode());
    } finally {
      close(root);
    }
  }

  private static byte[] name(Path path) {
    byte[] name = path.toString().getBytes(NAMES);
    return Arrays.copyOf(name, name.length + 1);
  }

  /** A name of the open file, whatever its original name refers to by now. */
  static Path path(int descriptor) {
    return Path.of("/proc/self/fd", Integer.toString(descriptor));
  }

  static void close(int descriptor) {
    LIBC.close(descriptor);
  }

  /** Queries which lock conflicts with a shared one on the first byte. */
  static Lock lock(Path path, int descriptor) throws IOException {
    try (Memory flock = new Memory(FLOCK_BYTES)) {
      flock.clear();
      flock.setShort(0, F_RDLCK);
      flock.setLong(AT_LENGTH, 1);
      LIBC.fcntl(descriptor, F_GETLK, flock);
      int pid = flock.getInt(AT_PID);
      return flock.getShort(0) == F_UNLCK
          ? Lock.FREE
          : new Lock(true, pid > 0 ? OptionalLong.of(pid) : OptionalLong.empty());
    } catch (LastErrorException failed) {
      throw failure(path, failed.getErrorCode());
    }
  }

  private static IOException failure(Path path, int code) {
    return switch (code) {
      case ENOENT, ENOTDIR -> new NoSuchFileException(path.toString());
      case EACCES, EPERM -> new AccessDeniedException(path.toString());
      case ELOOP, ENXIO, ENODEV -> new UserFile.NotRegularException(path);
      default -> new FileSystemException(path.toString(), null, "error " + code);
    };
  }
}
