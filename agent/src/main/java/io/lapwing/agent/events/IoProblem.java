package io.lapwing.agent.events;

import io.lapwing.agent.events.Durability.Reason;
import io.lapwing.agent.events.LogDirectory.LockedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * The meaning of an {@link IOException} for an operator; {@code why} is the system's message, if
 * any.
 */
record IoProblem(Reason reason, Path path, String why) {

  /** A disk with less space than this cannot hold a file's next block. */
  private static final long BLOCK = 4096;

  /** The problem at the path of the exception, or at this one if it has none. */
  static IoProblem of(IOException e, Path path) {
    Path where = e instanceof FileSystemException named ? named(named, path) : path;
    return new IoProblem(reason(e, where), where, why(e));
  }

  private static Path named(FileSystemException e, Path otherwise) {
    String file = e.getFile();
    return file == null ? otherwise : Path.of(file);
  }

  private static String why(IOException e) {
    String reason = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
    if (reason != null) {
      return reason;
    }
    if (e instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    return e instanceof AccessDeniedException ? "Permission denied" : e.getClass().getSimpleName();
  }

  private static Reason reason(IOException e, Path path) {
    if (e instanceof LockedException) {
      return Reason.LOCKED;
    }
    if (e instanceof AccessDeniedException) {
      return Reason.NO_PERMISSION;
    }
    if (e instanceof NoSuchFileException
        || e instanceof NotDirectoryException
        || e instanceof FileAlreadyExistsException) {
      return Reason.MISSING;
    }
    return byMessage(why(e), path);
  }

  private static Reason byMessage(String why, Path path) {
    if (why.contains("No space left") || why.contains("quota exceeded")) {
      return Reason.DISK_FULL;
    }
    if (why.contains("Read-only file system")) {
      return Reason.READ_ONLY;
    }
    if (why.contains("Operation not permitted")) {
      return Reason.NO_PERMISSION;
    }
    return why.contains("Not a directory") ? Reason.MISSING : byStore(path);
  }

  /** The message may be translated: the C library uses the locale's language. */
  private static Reason byStore(Path path) {
    try {
      FileStore store = Files.getFileStore(Files.isDirectory(path) ? path : parent(path));
      if (store.isReadOnly()) {
        return Reason.READ_ONLY;
      }
      return store.getUsableSpace() < BLOCK ? Reason.DISK_FULL : Reason.IO;
    } catch (IOException unknown) {
      return Reason.IO;
    }
  }

  private static Path parent(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path : parent;
  }
}
