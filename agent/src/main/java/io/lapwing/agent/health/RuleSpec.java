package io.lapwing.agent.health;

import java.time.Duration;
import java.util.List;

/**
 * A rule as people read it in {@code lapwing policy show} and in the documentation.
 *
 * @param name {@code row_remap_failure}; the finding's {@code rule} on the page
 * @param about what it finds, one sentence
 * @param why why the action is what it is, one sentence
 * @param document what says so: a NVIDIA document, an AWS page, a driver source
 * @param aws what it means under profile {@code aws}
 * @param nvidia what it means under profile {@code nvidia}
 * @param hold for how long it must be seen before it counts
 * @param release for how long it must not be seen before it is gone
 */
public record RuleSpec(
    String name,
    String about,
    String why,
    String document,
    Disposition aws,
    Disposition nvidia,
    Duration hold,
    Duration release,
    List<Threshold> thresholds) {

  public RuleSpec {
    thresholds = List.copyOf(thresholds);
  }
}
