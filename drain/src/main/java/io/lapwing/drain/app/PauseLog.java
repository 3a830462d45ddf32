package io.lapwing.drain.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.common.log.Log;
import io.lapwing.common.text.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Who paused the controller and who ended that: a file with a line of JSON for each. Not in the
 * journal: its entries are of remediations, its writer is the thread of the rounds, and a pause has
 * to hold at once. A pause does not depend on this file.
 */
final class PauseLog {
  private static final Log LOG = Log.of(PauseLog.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int KEPT = 200;

  private final Path file;
  private final List<Change> changes;

  /**
   * A pause, or its end.
   *
   * @param by who requested it
   * @param what in words: {@code paused: the fabric is being repaired}
   */
  record Change(Instant at, String by, String what) {

    private String line() {
      return JSON.createObjectNode()
          .put("at", at.toString())
          .put("by", by)
          .put("what", what)
          .toString();
    }
  }

  PauseLog(Path file) {
    this.file = file;
    this.changes = read(file);
  }

  /** A line that cannot be read is left out: nothing is decided by it. */
  private static List<Change> read(Path file) {
    List<Change> changes = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        try {
          JsonNode one = JSON.readTree(line);
          changes.add(
              new Change(
                  Instant.parse(one.path("at").asText()),
                  one.path("by").asText(),
                  one.path("what").asText()));
        } catch (JsonProcessingException | DateTimeException unreadable) {
          LOG.warn("a pause of the history cannot be read", "file", file, "line", line);
        }
      }
    } catch (NoSuchFileException none) {
      return changes;
    } catch (IOException unreadable) {
      LOG.warn("the history of pauses cannot be read", "reason", FileProblem.of(unreadable));
    }
    return changes;
  }

  synchronized void add(Change change) {
    changes.add(change);
    if (changes.size() > KEPT) {
      changes.remove(0);
    }
    StringBuilder text = new StringBuilder();
    changes.forEach(one -> text.append(one.line()).append('\n'));
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(next, text, StandardCharsets.UTF_8);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException unwritten) {
      LOG.warn("the history of pauses is not written", "reason", FileProblem.of(unwritten));
    }
  }

  /** Oldest first. */
  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }
}
