package io.lapwing.drain.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.EndedJob;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.remediation.Remediation.Seen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An entry as JSON: texts and lists only, so that the file does not depend on our classes. A field
 * that may be null is missing in older entries.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record JournalLine(
    String at,
    String what,
    String id,
    String node,
    String remedy,
    String urgency,
    String rule,
    String why,
    @Nullable String began,
    String opened,
    String phase,
    String since,
    @Nullable String taken,
    @Nullable String earlierReason,
    @Nullable String registration,
    List<AttemptLine> attempts,
    @Nullable List<EndedLine> endedJobs,
    @Nullable RadiusLine radius) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AttemptLine(
      String remedy,
      String at,
      String bootId,
      String instanceId,
      @Nullable List<String> hardware,
      @Nullable String outcome) {

    static AttemptLine of(Attempt one) {
      return new AttemptLine(
          one.remedy().name(),
          one.at().toString(),
          one.bootId(),
          one.instanceId(),
          one.hardware().stream().sorted().toList(),
          one.outcome().map(Outcome::name).orElse(null));
    }

    Attempt attempt() {
      return new Attempt(
          Remedy.valueOf(remedy),
          Instant.parse(at),
          bootId,
          instanceId,
          hardware == null ? Set.of() : Set.copyOf(hardware),
          Optional.ofNullable(outcome).map(Outcome::valueOf));
    }
  }

  record EndedLine(String job, String at) {}

  static JournalLine of(Entry entry) {
    Remediation state = entry.state();
    return new JournalLine(
        entry.at().toString(),
        entry.what(),
        state.id(),
        state.node().text(),
        state.remedy().name(),
        state.urgency().name(),
        state.rule(),
        state.why(),
        state.began().toString(),
        state.opened().toString(),
        state.phase().name(),
        state.since().toString(),
        state.taken().map(Instant::toString).orElse(null),
        state.earlierReason().isEmpty() ? null : state.earlierReason(),
        state.registration().isEmpty() ? null : state.registration(),
        state.attempts().stream().map(AttemptLine::of).toList(),
        state.endedJobs().isEmpty()
            ? null
            : state.endedJobs().stream()
                .map(one -> new EndedLine(one.job(), one.at().toString()))
                .toList(),
        entry.radius().map(RadiusLine::of).orElse(null));
  }

  /**
   * @throws IllegalArgumentException if a text is not what it should be
   */
  Entry entry() {
    try {
      return new Entry(
          Instant.parse(at), what, state(), Optional.ofNullable(radius).map(RadiusLine::radius));
    } catch (java.time.DateTimeException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private Remediation state() {
    return new Remediation(
        id,
        new NodeName(node),
        Remedy.valueOf(remedy),
        Urgency.valueOf(urgency),
        rule,
        why,
        Instant.parse(began == null ? opened : began),
        Instant.parse(opened),
        Phase.valueOf(phase),
        Instant.parse(since),
        Optional.ofNullable(taken).map(Instant::parse),
        earlierReason == null ? "" : earlierReason,
        registration == null ? "" : registration,
        attempts.stream().map(AttemptLine::attempt).toList(),
        endedJobs == null
            ? List.of()
            : endedJobs.stream()
                .map(one -> new EndedJob(one.job(), Instant.parse(one.at())))
                .toList(),
        Seen.NOTHING);
  }
}
