package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a rule detects in one snapshot. {@code what}, {@code why} and {@code document}: the problem
 * with figures, the reason for the action, and its source; {@code since}: empty if the first
 * detection counts; {@code last}: empty for now.
 */
public record Detection(
    String rule,
    Subject subject,
    Disposition disposition,
    String what,
    String why,
    String document,
    Optional<Instant> since,
    Optional<Instant> last,
    long times,
    List<String> sources) {

  public Detection {
    sources = List.copyOf(sources);
  }

  public Detection withTimes(Instant first, Instant latest, long count) {
    return new Detection(
        rule,
        subject,
        disposition,
        what,
        why,
        document,
        Optional.of(first),
        Optional.of(latest),
        count,
        sources);
  }

  /**
   * A milder form of this one. The spec has the most severe form, and a site's setting is a cap.
   */
  public Detection withForm(Disposition form, String because) {
    return withDisposition(disposition.atMost(form), because);
  }

  public Detection withDisposition(Disposition other, String because) {
    return new Detection(
        rule, subject, other, what, because, document, since, last, times, sources);
  }
}
