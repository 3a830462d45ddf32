package io.lapwing.drain.intake;

import java.util.List;
import java.util.stream.Collectors;

/** What became of all parts of a message. */
public record Intake(List<Outcome> outcomes) {

  public Intake {
    outcomes = List.copyOf(outcomes);
  }

  public static Intake of(Result result, String what) {
    return new Intake(List.of(new Outcome(result, what)));
  }

  /** Whether a part may fare better later; those that were handled are then duplicates. */
  public boolean later() {
    return outcomes.stream().anyMatch(one -> one.result().later());
  }

  /** Refused if no part of it can ever be handled. */
  public Reply reply() {
    return new Reply(
        status(), outcomes.stream().map(Outcome::toString).collect(Collectors.joining("\n")));
  }

  private int status() {
    if (later()) {
      return Result.NOT_WRITTEN.status();
    }
    boolean handled = outcomes.stream().anyMatch(one -> !one.result().refused());
    return handled || outcomes.isEmpty() ? 200 : outcomes.get(0).result().status();
  }
}
