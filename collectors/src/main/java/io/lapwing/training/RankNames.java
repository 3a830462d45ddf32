package io.lapwing.training;

import java.util.Set;

/**
 * Part and source of a rank: {@code 4711/3}, {@code training-4711-3}; plus the run if taken. The
 * job and the run of a part are as in the labels of its series.
 */
record RankNames(String part, String source) {

  /** Used if the loop does not report its job or rank. */
  static final String UNKNOWN = "-";

  static RankNames of(StepHeader header, String id, Set<String> parts, Set<String> sources) {
    String plain = orUnknown(id) + "/" + (header.rank().isPresent() ? header.rankText() : UNKNOWN);
    String part = free(parts.contains(plain) ? plain + "/" + header.run() : plain, parts);
    String source = TrainingSource.KIND + "-" + safe(part.replace('/', '-'));
    return new RankNames(part, free(source, sources));
  }

  static String orUnknown(String job) {
    return job.isEmpty() ? UNKNOWN : job;
  }

  /** Letters, digits, dash, underscore and dot, at most 64 characters. */
  static String safe(String text) {
    String plain = text.replaceAll("[^A-Za-z0-9_.-]+", "_");
    return plain.substring(0, Math.min(plain.length(), 64));
  }

  private static String free(String name, Set<String> taken) {
    String free = name;
    for (int i = 2; taken.contains(free); i++) {
      free = name + "." + i;
    }
    return free;
  }
}
