package io.lapwing.drain.replay;

import io.lapwing.drain.jobs.JobAtStake;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What came of a remediation in a replay. */
final class Course {

  private Remediation last;
  private Optional<Instant> drained = Optional.empty();
  private Optional<Instant> released = Optional.empty();
  private List<JobAtStake> atStake = List.of();
  private final List<JobAtStake> ended = new ArrayList<>();
  private boolean person;

  Course(Remediation first) {
    last = first;
  }

  void take(Entry entry) {
    Remediation state = entry.state();
    if (state.phase() == Phase.DRAINING) {
      entry.radius().ifPresent(radius -> atStake = radius.jobs());
    }
    if (state.phase() == Phase.WAITING_FOR_JOBS && drained.isEmpty()) {
      drained = Optional.of(entry.at());
    }
    if (state.phase() == Phase.RETURNED) {
      released = Optional.of(entry.at());
    }
    person |= state.phase() == Phase.HANDED_OVER;
    if (state.endedJobs().size() > last.endedJobs().size()) {
      String id = state.endedJobs().get(state.endedJobs().size() - 1).job();
      entry.radius().stream()
          .flatMap(radius -> radius.jobs().stream())
          .filter(job -> job.id().equals(id))
          .forEach(ended::add);
    }
    last = state;
  }

  /** A person has to act. */
  void person() {
    person = true;
  }

  Remediation last() {
    return last;
  }

  Optional<Instant> drained() {
    return drained;
  }

  Optional<Instant> released() {
    return released;
  }

  /** Jobs on the node when it was drained. */
  List<JobAtStake> atStake() {
    return atStake;
  }

  /** Jobs that the controller ended for it. */
  List<JobAtStake> ended() {
    return ended;
  }

  boolean needsPerson() {
    return person;
  }
}
