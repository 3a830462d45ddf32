package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.linux.SmallFile;
import io.lapwing.metric.LabelText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** User names from {@code etc/passwd}; a directory service is not queried, as it may block. */
public final class UserNames {

  private static final int MAX_KNOWN = 1024;
  private static final int MAX_CHARS = 4 * 1024 * 1024;
  private static final int MAX_LINE = 1024;

  private final Path passwd;
  private final Map<String, String> known = new HashMap<>();
  private @Nullable FileTime modified;

  /** Of the system with this root directory. */
  public UserNames(Path root) {
    this.passwd = root.resolve("etc/passwd");
  }

  /** The name of a user; the uid if it has none. */
  String of(String uid) {
    return name(uid).orElse(uid);
  }

  /** The name of a user; empty if there is none. */
  public Optional<String> name(String uid) {
    invalidateIfChanged();
    if (known.size() > MAX_KNOWN) {
      known.clear();
    }
    return Optional.of(known.computeIfAbsent(uid, this::find)).filter(name -> !name.isEmpty());
  }

  private void invalidateIfChanged() {
    try {
      FileTime now = Files.getLastModifiedTime(passwd);
      if (!now.equals(modified)) {
        known.clear();
        modified = now;
      }
    } catch (IOException notThere) {
      known.clear();
    }
  }

  private String find(String uid) {
    if (SmallFile.head(passwd, 1) instanceof Reading.Present<byte[]>) {
      try (BufferedReader lines = Files.newBufferedReader(passwd, StandardCharsets.ISO_8859_1)) {
        return find(uid, lines);
      } catch (IOException broken) {
        return "";
      }
    }
    return "";
  }

  /** Reads piecewise: a line may be endless. */
  private static String find(String uid, BufferedReader lines) throws IOException {
    char[] piece = new char[4096];
    StringBuilder line = new StringBuilder();
    int all = 0;
    for (int got = lines.read(piece); got > 0 && all < MAX_CHARS; got = lines.read(piece)) {
      all += got;
      for (int i = 0; i < got; i++) {
        if (piece[i] == '\n') {
          String name = name(line.toString(), uid);
          if (!name.isEmpty()) {
            return name;
          }
          line.setLength(0);
        } else if (line.length() < MAX_LINE) {
          line.append(piece[i]);
        }
      }
    }
    return "";
  }

  /** Parses {@code name:password:uid:...}. */
  private static String name(String line, String uid) {
    int password = line.indexOf(':');
    int number = line.indexOf(':', password + 1);
    boolean matches =
        password > 0
            && number > 0
            && line.startsWith(uid, number + 1)
            && line.startsWith(":", number + 1 + uid.length());
    return matches ? LabelText.clean(line.substring(0, password)) : "";
  }
}
