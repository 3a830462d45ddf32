package io.lapwing.drain.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.request.Urgency;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An entry as JSON: texts and lists only, so that the file does not depend on our classes. */
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
    String opened,
    String phase,
    String since,
    @Nullable String taken,
    List<AttemptLine> attempts) {

  record AttemptLine(String remedy, String at, String bootId, String instanceId) {}

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
        state.opened().toString(),
        state.phase().name(),
        state.since().toString(),
        state.taken().map(Instant::toString).orElse(null),
        state.attempts().stream()
            .map(
                one ->
                    new AttemptLine(
                        one.remedy().name(), one.at().toString(), one.bootId(), one.instanceId()))
            .toList());
  }

  /**
   * @throws IllegalArgumentException if a text is not what it should be
   */
  Entry entry() {
    try {
      return new Entry(Instant.parse(at), what, state());
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
        Instant.parse(opened),
        Phase.valueOf(phase),
        Instant.parse(since),
        Optional.ofNullable(taken).map(Instant::parse),
        attempts.stream()
            .map(
                one ->
                    new Attempt(
                        Remedy.valueOf(one.remedy()),
                        Instant.parse(one.at()),
                        one.bootId(),
                        one.instanceId()))
            .toList(),
        Optional.empty());
  }
}
