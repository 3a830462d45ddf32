package io.lapwing.agent.health;

import java.time.Duration;
import java.util.List;

/**
 * The description of a rule in {@code lapwing policy show} and in the documentation.
 *
 * @param name {@code row_remap_failure}; the label {@code rule} of its findings
 * @param about what it detects, one sentence
 * @param why the reason for the action, one sentence
 * @param document the source of that reason: an NVIDIA document, an AWS page, a driver source
 * @param aws disposition under profile {@code aws}
 * @param nvidia disposition under profile {@code nvidia}
 * @param openAfter how long a detection must last before a finding opens
 * @param closeAfter how long it must be absent before the finding closes
 */
public record RuleSpec(
    String name,
    String about,
    String why,
    String document,
    Disposition aws,
    Disposition nvidia,
    Duration openAfter,
    Duration closeAfter,
    List<Threshold> thresholds) {

  public RuleSpec {
    thresholds = List.copyOf(thresholds);
  }
}
