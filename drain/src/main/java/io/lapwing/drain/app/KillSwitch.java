package io.lapwing.drain.app;

import io.lapwing.common.log.Log;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A file that stops all harm while it exists; its content is the reason. Made by the API, or by
 * hand. One that cannot be read stops as well.
 */
final class KillSwitch implements Supplier<Optional<String>> {
  private static final Log LOG = Log.of(KillSwitch.class);
  private static final int MOST = 500;

  private final Path file;

  KillSwitch(Path file) {
    this.file = file;
  }

  /** Why nothing may be done; empty if it may. */
  @Override
  public Optional<String> get() {
    try {
      String reason = plain(Files.readString(file));
      return Optional.of(reason.isEmpty() ? file + " exists" : reason);
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException unreadable) {
      return Optional.of(file + " cannot be read: " + unreadable.getMessage());
    }
  }

  void pause(String user, String reason, Instant now) throws IOException {
    String line = plain(reason) + " (" + plain(user) + ", " + now + ")\n";
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, line, StandardCharsets.UTF_8);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    LOG.warn("paused", "by", user, "reason", plain(reason));
  }

  /** Whether it was paused. */
  boolean unpause(String user) throws IOException {
    boolean was = Files.deleteIfExists(file);
    if (was) {
      LOG.warn("no longer paused", "by", user);
    }
    return was;
  }

  private static String plain(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MOST ? line : line.substring(0, MOST);
  }
}
