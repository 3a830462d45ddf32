package io.lapwing.nccl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A file that its writer empties and writes again in place, line by line, so that any part of it
 * may be all there is at a moment. It is whole where nobody has touched it for a second, its last
 * line has an end, and two looks at it found the same.
 */
final class WholeFile {

  /** Forty times what NCCL estimates for eight communicators. */
  static final int MOST_BYTES = 1 << 20;

  /** Writing takes milliseconds. */
  private static final Duration QUIET = Duration.ofSeconds(1);

  private static final byte[] NOTHING = new byte[0];

  private final Optional<Rejection> rejection;
  private final byte[] bytes;

  private WholeFile(Optional<Rejection> rejection, byte[] bytes) {
    this.rejection = rejection;
    this.bytes = bytes;
  }

  Optional<Rejection> rejection() {
    return rejection;
  }

  /** All of it; nothing where it was rejected. */
  byte[] bytes() {
    return bytes;
  }

  private static WholeFile no(Rejection why) {
    return new WholeFile(Optional.of(why), NOTHING);
  }

  /**
   * Why a file is not even opened.
   *
   * @param folder the one that it lies in
   */
  static Optional<Rejection> refused(FileStamp file, FileStamp folder) {
    if (file.isLink()) {
      return Optional.of(Rejection.SYMLINK);
    }
    if (!file.isRegular()) {
      return Optional.of(Rejection.NOT_REGULAR);
    }
    if (file.uid() != 0 && file.uid() != folder.uid() && !folder.isForEverybody()) {
      return Optional.of(Rejection.OTHER_USER);
    }
    return file.size() > MOST_BYTES ? Optional.of(Rejection.TOO_LARGE) : Optional.empty();
  }

  /**
   * Reads it.
   *
   * @param before what it was found to be
   */
  static WholeFile read(Path path, FileStamp before, Instant now) {
    if (before.modified().isAfter(now.minus(QUIET)) && !before.modified().isAfter(now)) {
      return no(Rejection.HALF_WRITTEN);
    }
    try {
      byte[] first = read(path);
      byte[] second = read(path);
      boolean whole =
          first.length > 0
              && first[first.length - 1] == '\n'
              && first.length == before.size()
              && Arrays.equals(first, second)
              && FileStamp.of(path).equals(before);
      return whole ? new WholeFile(Optional.empty(), first) : no(Rejection.HALF_WRITTEN);
    } catch (IOException broken) {
      return no(Rejection.UNREADABLE);
    }
  }

  private static byte[] read(Path path) throws IOException {
    try (SeekableByteChannel file =
        Files.newByteChannel(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer into = ByteBuffer.allocate((int) Math.min(file.size() + 1, MOST_BYTES + 1));
      while (into.hasRemaining() && file.read(into) >= 0) {
        // Until its end or until there is no room.
      }
      return Arrays.copyOf(into.array(), into.position());
    }
  }
}
