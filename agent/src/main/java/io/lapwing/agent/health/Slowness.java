package io.lapwing.agent.health;

import io.lapwing.metric.Labels;
import java.util.List;

/**
 * The step time that training lost: ranks in the last minute, largest first, and totals since each
 * rank was first seen.
 */
public record Slowness(List<Rank> ranks, List<Total> totals) {

  public static final Slowness NONE = new Slowness(List.of(), List.of());

  public Slowness {
    ranks = List.copyOf(ranks);
    totals = List.copyOf(totals);
  }

  /**
   * A rank ({@code training:4711/3}) that lost seconds of its steps in the last minute, to its
   * largest cause.
   */
  public record Rank(String subject, String cause, double lost, double of, String sentence) {}

  /** The loss of a rank to one cause, with the labels of the rank and {@code cause}. */
  public record Total(Labels labels, double seconds) {}
}
