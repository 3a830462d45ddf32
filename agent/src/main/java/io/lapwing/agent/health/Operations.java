package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What operators asked of the agent for a time. It changes neither the verdict nor the action.
 *
 * @param maintenance alerts are not to page or call automation meanwhile
 * @param released the agent keeps the GPUs closed meanwhile
 * @param tests findings that exist only to try alerts
 */
public record Operations(
    Optional<Maintenance> maintenance, Optional<Release> released, List<Test> tests) {

  public static final Operations NONE =
      new Operations(Optional.empty(), Optional.empty(), List.of());

  public Operations {
    tests = List.copyOf(tests);
  }

  public record Maintenance(Instant since, Instant until, String note) {}

  public record Release(Instant since, Instant until) {}

  /** A test finding; {@code finding} has the texts that say so. */
  public record Test(Finding finding, Instant until) {}
}
