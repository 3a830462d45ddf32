package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The active operations of operators. They change neither the verdict nor the action.
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

  /** The same with GPUs that are all closed, or not. */
  public Operations withClosed(boolean closed) {
    return new Operations(
        maintenance,
        released.map(release -> new Release(release.since(), release.until(), closed)),
        tests);
  }

  public record Maintenance(Instant since, Instant until, String note) {}

  /** {@code closed}: no part of the agent has a GPU open. */
  public record Release(Instant since, Instant until, boolean closed) {}

  /** A test finding; the texts of {@code finding} mark it as one. */
  public record Test(Finding finding, Instant until) {}
}
