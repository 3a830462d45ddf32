package io.lapwing.agent.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The entries of {@code /proc/self/fd}. From Linux 6.2 on they are also its size, which is read
 * instead once both were seen to agree: a listing has a name for each of a thousand entries.
 * Thread-safe.
 */
final class DescriptorCount {

  private final Path folder;
  private boolean inSize;

  DescriptorCount(Path folder) {
    this.folder = folder;
  }

  /** Without the descriptor of the listing itself. */
  synchronized double now() throws IOException {
    long size = Files.size(folder);
    if (inSize && size > 0) {
      return size;
    }
    String[] names = folder.toFile().list();
    if (names == null) {
      throw new IOException(folder + " cannot be listed");
    }
    inSize = size == names.length - 1;
    return names.length - 1;
  }
}
