package io.lapwing.agent.top;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The user's choices.
 *
 * @param section what is shown in full, or {@code ALL}
 * @param scroll lines that are scrolled over
 * @param filter of job or user; empty for all
 * @param typing whether the filter is being typed
 */
record View(
    Section section,
    Sort sort,
    int scroll,
    boolean paused,
    Duration interval,
    String filter,
    boolean typing,
    boolean help) {

  static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(2);

  /** An agent collects every few seconds: faster polls show nothing new. */
  private static final List<Duration> INTERVALS =
      List.of(1, 2, 5, 10, 30, 60).stream().map(Duration::ofSeconds).toList();

  private static final int MAX_FILTER = 40;

  /** The keys 1 to 5 choose a section in this order. */
  enum Section {
    ALL,
    GPUS,
    EFA,
    LUSTRE,
    TRAINING,
    FINDINGS
  }

  /** The order of GPUs; all but the index with the highest first. */
  enum Sort {
    INDEX,
    UTIL,
    MEMORY,
    POWER,
    TEMP;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static View start(Duration interval) {
    return new View(Section.ALL, Sort.INDEX, 0, false, interval, "", false, false);
  }

  View show(Section other) {
    return new View(other, sort, 0, paused, interval, filter, false, false);
  }

  View nextSection() {
    return show(next(List.of(Section.values()), section));
  }

  private static <T> T next(List<T> choices, T now) {
    return choices.get((choices.indexOf(now) + 1) % choices.size());
  }

  View nextSort() {
    Sort next = next(List.of(Sort.values()), sort);
    return new View(section, next, scroll, paused, interval, filter, typing, help);
  }

  View scrolled(int lines) {
    return new View(
        section, sort, Math.max(0, scroll + lines), paused, interval, filter, typing, help);
  }

  View togglePause() {
    return new View(section, sort, scroll, !paused, interval, filter, typing, help);
  }

  View toggleHelp() {
    return new View(section, sort, 0, paused, interval, filter, false, !help);
  }

  View slower() {
    return every(
        INTERVALS.stream().filter(one -> one.compareTo(interval) > 0).findFirst().orElse(interval));
  }

  View faster() {
    return every(
        INTERVALS.stream()
            .filter(one -> one.compareTo(interval) < 0)
            .reduce((first, second) -> second)
            .orElse(interval));
  }

  private View every(Duration other) {
    return new View(section, sort, scroll, paused, other, filter, typing, help);
  }

  View typing(boolean now) {
    return new View(section, sort, scroll, paused, interval, filter, now, help);
  }

  View filtered(String text) {
    String kept = text.length() > MAX_FILTER ? text.substring(0, MAX_FILTER) : text;
    return new View(section, sort, 0, paused, interval, kept, typing, help);
  }

  boolean matches(String job, String user) {
    String wanted = filter.toLowerCase(Locale.ROOT);
    return job.toLowerCase(Locale.ROOT).contains(wanted)
        || user.toLowerCase(Locale.ROOT).contains(wanted);
  }
}
