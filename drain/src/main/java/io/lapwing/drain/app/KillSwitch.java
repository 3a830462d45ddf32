package io.lapwing.drain.app;

import io.lapwing.common.log.Log;
import io.lapwing.common.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
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
  private final PauseLog history;

  /** Of a pause that could not be written: it ends with the process. */
  private volatile Optional<String> unwritten = Optional.empty();

  KillSwitch(Path file) {
    this.file = file;
    this.history = new PauseLog(file.resolveSibling("pauses.jsonl"));
  }

  /** Why nothing may be done; empty if it may. */
  @Override
  public Optional<String> get() {
    try {
      String reason = plain(Files.readString(file));
      return Optional.of(reason.isEmpty() ? file + " exists" : reason);
    } catch (NoSuchFileException none) {
      return unwritten;
    } catch (IOException unreadable) {
      return Optional.of(file + " cannot be read: " + FileProblem.of(unreadable));
    }
  }

  /**
   * Pauses at once. An earlier reason is kept.
   *
   * @return for the user
   * @throws IOException if it cannot be written: it is paused all the same, but not over a restart
   */
  String pause(String user, String reason, Instant now) throws IOException {
    String own = plain(reason) + " (" + plain(user) + ", " + now + ")";
    Optional<String> before = get();
    String all = before.map(earlier -> earlier + "; " + own).orElse(own);
    LOG.warn("paused", "by", user, "reason", plain(reason));
    unwritten = Optional.of(all);
    history.add(new PauseLog.Change(now, plain(user), "paused: " + plain(reason)));
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, all + "\n", StandardCharsets.UTF_8);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    unwritten = Optional.empty();
    return "paused: nothing is done until it is ended"
        + before.map(earlier -> "; it was paused before: " + earlier).orElse("");
  }

  /** Whether it was paused. */
  boolean unpause(String user, Instant now) throws IOException {
    boolean deleted = Files.deleteIfExists(file);
    boolean was = deleted || unwritten.isPresent();
    unwritten = Optional.empty();
    if (was) {
      LOG.warn("no longer paused", "by", user);
      history.add(new PauseLog.Change(now, plain(user), "no longer paused"));
    }
    return was;
  }

  /** Who paused and ended that, oldest first. A file that was made by hand is not among them. */
  List<PauseLog.Change> history() {
    return history.changes();
  }

  private static String plain(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= MOST ? line : line.substring(0, MOST);
  }
}
