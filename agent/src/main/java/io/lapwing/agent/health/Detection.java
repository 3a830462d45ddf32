package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a rule sees at one moment.
 *
 * @param rule the rule's name, or {@code xid_79}
 * @param call what it means
 * @param what what is wrong with figures, one sentence: {@code 3 rows could not be remapped}
 * @param why why this action, one sentence
 * @param document what says so
 * @param since when it began, where the rule can tell; the book else takes the first sight
 * @param last when it was seen last, where that is not now
 * @param times how often it came
 * @param sources where it was seen: metric names, {@code kernel log}, {@code NVML event}
 */
public record Detection(
    String rule,
    Subject subject,
    Disposition call,
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

  /** What a rule sees now, in the words of its spec. */
  public static Detection now(
      RuleSpec spec, RulePolicy policy, Subject subject, String what, String... sources) {
    return new Detection(
        spec.name(),
        subject,
        policy.call(),
        what,
        spec.why(),
        spec.document(),
        Optional.empty(),
        Optional.empty(),
        1,
        List.of(sources));
  }

  /** The same with its times. */
  public Detection seen(Instant first, Instant latest, long howOften) {
    return new Detection(
        rule,
        subject,
        call,
        what,
        why,
        document,
        Optional.of(first),
        Optional.of(latest),
        howOften,
        sources);
  }

  /** The same with another meaning. */
  public Detection meaning(Disposition other, String because) {
    return new Detection(
        rule, subject, other, what, because, document, since, last, times, sources);
  }
}
