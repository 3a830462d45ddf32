package io.lapwing.agent.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How files looked, to tell whether they changed since: a few microseconds for each.
 *
 * @param settled whether a later change must look different. A file that was written a moment ago
 *     may be written again within one tick of the file system's clock.
 */
record FileFingerprints(Map<Path, Map<String, Object>> files, boolean settled) {
  private static final String LOOKS = "unix:ino,size,lastModifiedTime,ctime";
  private static final Duration TICK = Duration.ofSeconds(1);

  static FileFingerprints of(List<Path> files) {
    Map<Path, Map<String, Object>> marks = new HashMap<>();
    boolean settled = true;
    Instant now = Instant.now();
    for (Path file : files) {
      Map<String, Object> looks = looks(file);
      marks.put(file, looks);
      settled &=
          !(looks.get("ctime") instanceof FileTime changed)
              || Duration.between(changed.toInstant(), now).abs().compareTo(TICK) > 0;
    }
    return new FileFingerprints(Map.copyOf(marks), settled);
  }

  /** Follows links: a secret of Kubernetes changes by turning one to another directory. */
  private static Map<String, Object> looks(Path file) {
    try {
      return Map.copyOf(Files.readAttributes(file, LOOKS));
    } catch (IOException e) {
      // Why it cannot be seen is said by who reads it.
      return Map.of();
    }
  }

  /** Whether they look the same now and cannot have changed. */
  boolean hold() {
    return settled && FileFingerprints.of(List.copyOf(files.keySet())).files().equals(files);
  }
}
