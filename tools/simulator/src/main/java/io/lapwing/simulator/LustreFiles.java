package io.lapwing.simulator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of a Lustre client below a node's folder.
 *
 * <p>Text of the same length as before is written in place with one write, which costs a thirtieth
 * of a rename (ext4 first flushes a file that is renamed over another). Other text replaces the
 * file, so that readers never see mixed or truncated text.
 */
final class LustreFiles {
  private final Path node;
  private final SharedFiles same;
  private final Map<String, String> written = new HashMap<>();

  LustreFiles(Path node, SharedFiles same) {
    this.node = node;
    this.same = same;
  }

  /**
   * Sets the content of a file.
   *
   * @param path below the node's folder, such as {@code proc/fs/lustre/devices}
   * @param text with its newlines
   */
  void write(String path, String text) throws IOException {
    String before = written.put(path, text);
    if (text.equals(before)) {
      return;
    }
    Path file = node.resolve(path);
    if (before == null) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text, StandardCharsets.US_ASCII);
    } else if (before.length() == text.length()) {
      overwrite(file, text);
    } else {
      replace(file, text);
    }
  }

  private static void overwrite(Path file, String text) throws IOException {
    try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
      open.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }
  }

  private static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text, StandardCharsets.US_ASCII);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A file with one value that changes. */
  void write(String path, long value) throws IOException {
    write(path, value + "\n");
  }

  /** A file with one constant value. */
  void constant(String path, long value) throws IOException {
    constant(path, Long.toString(value));
  }

  void constant(String path, String value) throws IOException {
    Path file = node.resolve(path);
    Files.createDirectories(file.getParent());
    same.write(file, value);
  }

  /** Deletes all written files. */
  void clear() throws IOException {
    written.clear();
    for (String folder :
        List.of(
            "proc/fs/lustre",
            "proc/sys/lnet",
            "sys/fs/lustre",
            "sys/kernel/debug/lustre",
            "sys/kernel/debug/lnet",
            "sys/module/lnet")) {
      remove(node.resolve(folder));
    }
  }

  private static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> below = Files.walk(folder)) {
      all = below.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException notThere) {
      return;
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
