package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The lines of a node's state file, and the file.
 *
 * <p>Every change replaces the file by rename, so a reader never sees a partial version. The
 * modification time increases with every version, because two versions within one tick of the
 * kernel's clock would look the same to a reader.
 */
final class StateFile {
  private static final Pattern NOT_IN_A_LINE = Pattern.compile("[\\n\\r#]");

  private final Path file;
  private final String title;
  private final Map<String, String> lines = new LinkedHashMap<>();
  private Instant modified = Instant.EPOCH;

  StateFile(Path file, String title) {
    this.file = file;
    this.title = title;
  }

  Path file() {
    return file;
  }

  /** A copy in file order. */
  Map<String, String> lines() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(lines));
  }

  /** A value for one GPU: from its own line, or from the line for all GPUs if that is later. */
  Optional<String> ofGpu(int gpu, String key) {
    String own = "gpu." + gpu + "." + key;
    String all = "gpu.*." + key;
    String last = null;
    for (Map.Entry<String, String> line : lines.entrySet()) {
      if (line.getKey().equals(own) || line.getKey().equals(all)) {
        last = line.getValue();
      }
    }
    return Optional.ofNullable(last);
  }

  /** A line that is set again moves to the end, because later lines override earlier ones. */
  void put(String key, String value) {
    if (NOT_IN_A_LINE.matcher(key + value).find() || key.contains("=")) {
      throw new IllegalArgumentException("not a line of a state: " + key + " = " + value);
    }
    lines.remove(key);
    lines.put(key, value);
  }

  void remove(String key) {
    lines.remove(key);
  }

  void write() throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text(), StandardCharsets.UTF_8);
    Files.setLastModifiedTime(next, FileTime.from(later()));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private Instant later() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    Instant least = modified.plus(1, ChronoUnit.MICROS);
    modified = now.isBefore(least) ? least : now;
    return modified;
  }

  private String text() {
    StringBuilder text = new StringBuilder("# ").append(title).append('\n');
    lines.forEach((key, value) -> text.append(key).append(" = ").append(value).append('\n'));
    return text.toString();
  }
}
