package io.lapwing.drain.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;

/**
 * Whether a Unix socket can only be the controller's: any user could make one where others may
 * write, and take requests that it never carries out.
 */
final class SocketOwner {
  private static final int STICKY = 01000;

  /** As in the package. */
  private static final String SERVICE = "lapwing-drain";

  private SocketOwner() {}

  /** Why it is not trusted; empty if it is trusted or absent. */
  static Optional<String> objection(Path socket) {
    try {
      for (Path part = socket.toRealPath(); part != null; part = part.getParent()) {
        Optional<String> objection = ofPart(part);
        if (objection.isPresent()) {
          return objection;
        }
      }
      return Optional.empty();
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  private static Optional<String> ofPart(Path part) throws IOException {
    PosixFileAttributes file =
        Files.readAttributes(part, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    String owner = file.owner().getName();
    if (!List.of("root", SERVICE, System.getProperty("user.name", "")).contains(owner)) {
      return Optional.of(part + " is owned by " + owner);
    }
    boolean shared =
        file.isDirectory()
            && (file.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                || (file.permissions().contains(PosixFilePermission.GROUP_WRITE)
                    && !file.group().getName().equals(owner)));
    boolean sticky = (((Number) Files.getAttribute(part, "unix:mode")).intValue() & STICKY) != 0;
    return shared && !sticky ? Optional.of(part + " can be written by others") : Optional.empty();
  }
}
