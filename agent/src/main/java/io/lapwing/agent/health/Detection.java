package io.lapwing.agent.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a rule detects in one snapshot.
 *
 * @param rule the rule's name, or {@code xid_79}
 * @param what the problem with figures, one sentence: {@code 3 rows could not be remapped}
 * @param why the reason for the action, one sentence
 * @param document the source of that reason
 * @param since when it started, where the rule can tell; otherwise the first detection counts
 * @param last when it was last seen; empty for now
 * @param times number of occurrences
 * @param sources metric names, {@code kernel log}, {@code NVML event}
 * @param grace the milder form of a state that may still end by itself
 * @param confirmed false if NVML could have confirmed it and did not, or it is far older than the
 *     agent's first start: nothing automatic may act
 * @param instance the only MIG instance of the GPU that has it; empty for the whole GPU
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
    List<String> sources,
    Optional<Grace> grace,
    boolean confirmed,
    OptionalInt instance) {

  /**
   * The form of the rule's {@link RuleSpec#grace}, and the reason for it.
   *
   * @param lasted how long the current state has lasted, where the rule knows it: several short
   *     ones, one after the other, are not one that lasts
   */
  public record Grace(
      Duration until, Disposition disposition, String why, Optional<Duration> lasted) {

    /** Whether it is over for a detection of that age. */
    boolean isOver(Duration age) {
      return age.compareTo(until) >= 0 && lasted.orElse(age).compareTo(until) >= 0;
    }
  }

  public Detection {
    sources = List.copyOf(sources);
  }

  public Detection(
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
    this(
        rule,
        subject,
        disposition,
        what,
        why,
        document,
        since,
        last,
        times,
        sources,
        Optional.empty(),
        true,
        OptionalInt.empty());
  }

  /** As this one, under another value of the label {@code rule}. */
  public Detection named(String finding) {
    return copy(finding, disposition, what, why, since, last, times, grace, confirmed);
  }

  /** As this one, which nothing confirms; {@code why} is added to its text. */
  public Detection unconfirmed(String why) {
    return copy(rule, disposition, what + "; " + why, why, since, last, times, grace, false);
  }

  /** As this one, of one MIG instance. */
  public Detection of(OptionalInt mig) {
    return new Detection(
        rule,
        subject,
        disposition,
        what,
        why,
        document,
        since,
        last,
        times,
        sources,
        grace,
        confirmed,
        mig);
  }

  /** As this one; in the form that the rule's state starts with, until it has lasted. */
  public Detection withGrace(RuleSpec spec, String because) {
    return spec.grace().map(start -> withGrace(start, because, Optional.empty())).orElse(this);
  }

  /** The same for a state of which the rule knows for how long it has lasted. */
  public Detection withGrace(RuleSpec spec, String because, Duration lasted) {
    return spec.grace().map(start -> withGrace(start, because, Optional.of(lasted))).orElse(this);
  }

  Detection withGrace(RuleSpec.Grace start, String because, Optional<Duration> lasted) {
    Grace milder = new Grace(start.until(), start.form(), because, lasted);
    return copy(rule, disposition, what, why, since, last, times, Optional.of(milder), confirmed);
  }

  /** As it counts after it has lasted for {@code age}. */
  public Detection agedBy(Duration age) {
    return grace.isEmpty() || grace.get().isOver(age)
        ? withoutGrace()
        : withoutGrace().withForm(grace.get().disposition(), grace.get().why());
  }

  /** As it counts after its grace. */
  Detection withoutGrace() {
    return grace.isEmpty() ? this : withDisposition(disposition, why);
  }

  public Detection withTimes(Instant first, Instant latest, long count) {
    return copy(
        rule,
        disposition,
        what,
        why,
        Optional.of(first),
        Optional.of(latest),
        count,
        grace,
        confirmed);
  }

  /**
   * As this one, but in a milder form. A rule that covers several forms of a fault has the
   * disposition of the most severe form in its spec. A site's setting is a cap: no form gets a more
   * severe one.
   */
  public Detection withForm(Disposition form, String because) {
    return withDisposition(disposition.atMost(form), because);
  }

  /** As this one, but with another disposition. */
  public Detection withDisposition(Disposition other, String because) {
    return copy(rule, other, what, because, since, last, times, Optional.empty(), confirmed);
  }

  /** As unknown, while it has not lasted long enough for a finding. */
  Detection unconfirmed() {
    return copy(
        rule,
        Disposition.unknown(),
        what + "; being confirmed",
        why,
        since,
        last,
        times,
        Optional.empty(),
        confirmed);
  }

  private Detection copy(
      String newRule,
      Disposition newDisposition,
      String newWhat,
      String newWhy,
      Optional<Instant> newSince,
      Optional<Instant> newLast,
      long newTimes,
      Optional<Grace> newGrace,
      boolean newConfirmed) {
    return new Detection(
        newRule,
        subject,
        newDisposition,
        newWhat,
        newWhy,
        document,
        newSince,
        newLast,
        newTimes,
        sources,
        newGrace,
        newConfirmed,
        instance);
  }
}
