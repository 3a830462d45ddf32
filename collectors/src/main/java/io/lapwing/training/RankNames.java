package io.lapwing.training;

import java.util.Set;

/**
 * What a rank is called among the parts of the node and among the sources: {@code 4711/3} and
 * {@code training-4711-3}. Where two would be called the same, the later one has its run behind it.
 *
 * @param part of the node
 * @param source that reads it
 */
record RankNames(String part, String source) {

  /** What stands for the job or the rank where the loop does not tell it. */
  static final String UNKNOWN = "-";

  /**
   * Names that nobody has yet.
   *
   * @param parts that there are
   * @param sources that there are
   */
  static RankNames of(StepHeader header, Set<String> parts, Set<String> sources) {
    String job = HeaderText.name(header.job());
    String plain =
        (job.isEmpty() ? UNKNOWN : job) + "/" + (header.rank() < 0 ? UNKNOWN : header.rankText());
    String part = plain;
    if (parts.contains(part)) {
      part = plain + "/" + HeaderText.name(header.run());
    }
    part = free(part, parts);
    return new RankNames(part, free(TrainingSource.KIND + "-" + part.replace('/', '-'), sources));
  }

  private static String free(String name, Set<String> taken) {
    String free = name;
    for (int i = 2; taken.contains(free); i++) {
      free = name + "." + i;
    }
    return free;
  }
}
