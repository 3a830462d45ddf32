package io.lapwing.simulator;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a simulated node. A marker file identifies it, so that a new node replaces an
 * earlier one and nothing else. The marker is locked while a process writes or plays the node; the
 * kernel releases the lock when that process ends.
 */
final class NodeFolder implements AutoCloseable {

  static final String MARKER = ".lapwing-simulated-node";

  /** Everything that a node has in its folder. Other files are the user's and stay. */
  private static final List<String> CONTENT =
      List.of(
          "state",
          "README",
          "lib",
          "lib-mid",
          "lib-old",
          "lib-empty",
          "sys",
          "proc",
          "dev",
          "run",
          "same",
          "agent-state");

  /** Open for as long as the lock is held. Never open the marker twice: a close drops the lock. */
  private final FileChannel marker;

  private NodeFolder(FileChannel marker) {
    this.marker = marker;
  }

  /** The folder cannot take a node; the message names it. */
  static final class Refused extends Exception {
    private Refused(String message) {
      super(message);
    }
  }

  /**
   * Reserves a new or empty folder, or one that holds an earlier node, until it is closed.
   *
   * @throws Refused if it is a file, has other content, or is in use by another process
   */
  static NodeFolder claim(Path folder) throws IOException, Refused {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new Refused(folder + " is a file; --out needs a folder");
    }
    Files.createDirectories(folder);
    Path file = folder.resolve(MARKER);
    if (!Files.exists(file) && !isEmpty(folder)) {
      throw new Refused(folder + " is not empty and does not hold a simulated node");
    }
    FileChannel marker =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!locked(marker)) {
      marker.close();
      throw new Refused(folder + " is in use by another simulator process");
    }
    return new NodeFolder(marker);
  }

  private static boolean locked(FileChannel marker) throws IOException {
    try {
      return marker.tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Marks the folder for a new node, and deletes an earlier one. */
  static void clear(Path folder) throws IOException {
    Files.createDirectories(folder);
    Path marker = folder.resolve(MARKER);
    if (!Files.exists(marker)) {
      Files.createFile(marker);
      return;
    }
    for (String name : CONTENT) {
      Path path = folder.resolve(name);
      // Files with the same text are hard links: to write over one would change all of them.
      if (Files.exists(path)) {
        Files.walkFileTree(path, new Deletion());
      }
    }
  }

  @Override
  public void close() throws IOException {
    marker.close();
  }

  /** Does not follow symbolic links. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed)
        throws IOException {
      if (failed != null) {
        throw failed;
      }
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
