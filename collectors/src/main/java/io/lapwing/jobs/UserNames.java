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

/**
 * Names of users from {@code etc/passwd}. Who is only in a directory service is not there, and
 * keeps the number: to ask such a service could take any time.
 */
final class UserNames {

  private static final int MOST_KNOWN = 1024;
  private static final int MOST_CHARS = 4 * 1024 * 1024;
  private static final int MOST_LINE = 1024;

  private final Path passwd;
  private final Map<String, String> known = new HashMap<>();
  private @Nullable FileTime modified;

  /**
   * Those of a host.
   *
   * @param root the host's {@code /}
   */
  UserNames(Path root) {
    this.passwd = root.resolve("etc/passwd");
  }

  /** The name of a user; the number where there is none. */
  String of(String uid) {
    return name(uid).orElse(uid);
  }

  /** The name of a user; empty where it is not there. */
  Optional<String> name(String uid) {
    forgetWhatWasReplaced();
    if (known.size() > MOST_KNOWN) {
      known.clear();
    }
    return Optional.of(known.computeIfAbsent(uid, this::find)).filter(name -> !name.isEmpty());
  }

  private void forgetWhatWasReplaced() {
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

  /** Piece by piece: nobody promises that lines end. */
  private static String find(String uid, BufferedReader lines) throws IOException {
    char[] piece = new char[4096];
    StringBuilder line = new StringBuilder();
    int all = 0;
    for (int got = lines.read(piece); got > 0 && all < MOST_CHARS; got = lines.read(piece)) {
      all += got;
      for (int i = 0; i < got; i++) {
        if (piece[i] == '\n') {
          String name = name(line.toString(), uid);
          if (!name.isEmpty()) {
            return name;
          }
          line.setLength(0);
        } else if (line.length() < MOST_LINE) {
          line.append(piece[i]);
        }
      }
    }
    return "";
  }

  /** {@code name:password:uid:...} */
  private static String name(String line, String uid) {
    int password = line.indexOf(':');
    int number = line.indexOf(':', password + 1);
    boolean his =
        password > 0
            && number > 0
            && line.startsWith(uid, number + 1)
            && line.startsWith(":", number + 1 + uid.length());
    return his ? LabelText.clean(line.substring(0, password)) : "";
  }
}
