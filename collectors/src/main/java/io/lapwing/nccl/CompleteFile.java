package io.lapwing.nccl;

import io.lapwing.linux.UserFile;
import io.lapwing.nccl.InspectorFile.Rejection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A complete version of a file that its writer rewrites in place: not modified for a second, last
 * line terminated, equal attributes before and after the read.
 */
final class CompleteFile {

  /** Forty times NCCL's estimate for eight communicators. */
  static final int MAX_BYTES = 1 << 20;

  /** Writing takes milliseconds. */
  private static final Duration QUIET = Duration.ofSeconds(1);

  private static final byte[] NOTHING = new byte[0];

  private final Optional<Rejection> rejection;
  private final byte[] bytes;

  private CompleteFile(Optional<Rejection> rejection, byte[] bytes) {
    this.rejection = rejection;
    this.bytes = bytes;
  }

  Optional<Rejection> rejection() {
    return rejection;
  }

  /** Its content; empty if it was rejected. */
  byte[] bytes() {
    return bytes;
  }

  private static CompleteFile no(Rejection why) {
    return new CompleteFile(Optional.of(why), NOTHING);
  }

  static Optional<Rejection> rejection(UserFile.Attributes file, UserFile.Attributes folder) {
    if (file.isLink()) {
      return Optional.of(Rejection.SYMLINK);
    }
    if (!file.isRegular()) {
      return Optional.of(Rejection.NOT_REGULAR);
    }
    if (file.user() != 0 && file.user() != folder.user() && !isEverybodys(folder)) {
      return Optional.of(Rejection.OTHER_USER);
    }
    return file.size() > MAX_BYTES ? Optional.of(Rejection.TOO_LARGE) : Optional.empty();
  }

  private static boolean isEverybodys(UserFile.Attributes folder) {
    return folder.user() == 0 && folder.isSticky();
  }

  static CompleteFile read(Path path, UserFile.Attributes before, Instant now) {
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
              && UserFile.Attributes.at(path).equals(before);
      return whole ? new CompleteFile(Optional.empty(), first) : no(Rejection.HALF_WRITTEN);
    } catch (IOException broken) {
      return no(Rejection.UNREADABLE);
    }
  }

  private static byte[] read(Path path) throws IOException {
    try (UserFile file = UserFile.open(path)) {
      ByteBuffer into =
          ByteBuffer.allocate((int) Math.min(file.attributes().size() + 1, MAX_BYTES + 1));
      while (into.hasRemaining() && file.channel().read(into) >= 0) {
        // Until its end or until the buffer is full.
      }
      return Arrays.copyOf(into.array(), into.position());
    }
  }
}
