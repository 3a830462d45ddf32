package io.lapwing.common.web;

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
 * Attributes of files, to detect changes in microseconds. Not {@code settled} if written within the
 * last second: a rewrite in the same clock tick would be invisible.
 */
record FileFingerprints(Map<Path, Map<String, Object>> files, boolean settled) {
  private static final String ATTRIBUTES = "unix:ino,size,lastModifiedTime,ctime";
  private static final Duration TICK = Duration.ofSeconds(1);

  static FileFingerprints of(List<Path> files) {
    Map<Path, Map<String, Object>> fingerprints = new HashMap<>();
    boolean settled = true;
    Instant now = Instant.now();
    for (Path file : files) {
      Map<String, Object> attributes = attributes(file);
      fingerprints.put(file, attributes);
      settled &=
          !(attributes.get("ctime") instanceof FileTime changed)
              || Duration.between(changed.toInstant(), now).abs().compareTo(TICK) > 0;
    }
    return new FileFingerprints(Map.copyOf(fingerprints), settled);
  }

  /** Follows links: Kubernetes updates a secret by switching a symlink to another directory. */
  private static Map<String, Object> attributes(Path file) {
    try {
      return Map.copyOf(Files.readAttributes(file, ATTRIBUTES));
    } catch (IOException e) {
      // The reader of the file reports why it is unreadable.
      return Map.of();
    }
  }

  /** Whether the files cannot have changed since. */
  boolean unchanged() {
    return settled && FileFingerprints.of(List.copyOf(files.keySet())).files().equals(files);
  }
}
