package io.lapwing.nccl;

import io.lapwing.nccl.InspectorFile.Rejection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

  static Optional<Rejection> rejection(Stamp file, Stamp folder) {
    if (file.isLink()) {
      return Optional.of(Rejection.SYMLINK);
    }
    if (!file.isRegular()) {
      return Optional.of(Rejection.NOT_REGULAR);
    }
    if (file.uid() != 0 && file.uid() != folder.uid() && !folder.isWorldWritable()) {
      return Optional.of(Rejection.OTHER_USER);
    }
    return file.size() > MAX_BYTES ? Optional.of(Rejection.TOO_LARGE) : Optional.empty();
  }

  static CompleteFile read(Path path, Stamp before, Instant now) {
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
              && Stamp.of(path).equals(before);
      return whole ? new CompleteFile(Optional.empty(), first) : no(Rejection.HALF_WRITTEN);
    } catch (IOException broken) {
      return no(Rejection.UNREADABLE);
    }
  }

  private static byte[] read(Path path) throws IOException {
    try (SeekableByteChannel file =
        Files.newByteChannel(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      ByteBuffer into = ByteBuffer.allocate((int) Math.min(file.size() + 1, MAX_BYTES + 1));
      while (into.hasRemaining() && file.read(into) >= 0) {
        // Until its end or until the buffer is full.
      }
      return Arrays.copyOf(into.array(), into.position());
    }
  }

  /** The attributes of a file, links not followed; the inode changes if it is replaced. */
  record Stamp(int mode, int uid, long size, Instant modified, long inode) {

    private static final int KIND = 0170000;
    private static final int REGULAR = 0100000;
    private static final int LINK = 0120000;
    private static final int STICKY = 01000;

    static Stamp of(Path file) throws IOException {
      Map<String, Object> all =
          Files.readAttributes(
              file, "unix:mode,uid,size,lastModifiedTime,ino", LinkOption.NOFOLLOW_LINKS);
      return new Stamp(
          (Integer) get(all, "mode"),
          (Integer) get(all, "uid"),
          (Long) get(all, "size"),
          ((FileTime) get(all, "lastModifiedTime")).toInstant(),
          (Long) get(all, "ino"));
    }

    private static Object get(Map<String, Object> all, String name) throws IOException {
      Object value = all.get(name);
      if (value == null) {
        throw new IOException("no " + name);
      }
      return value;
    }

    boolean isRegular() {
      return (mode & KIND) == REGULAR;
    }

    boolean isLink() {
      return (mode & KIND) == LINK;
    }

    /** Of a folder: world-writable with the sticky bit. */
    boolean isWorldWritable() {
      return uid == 0 && (mode & STICKY) != 0;
    }
  }
}
