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
   * A rank that lost time in the last minute.
   *
   * @param subject {@code training:4711/3}
   * @param cause of the largest part, such as {@code input} or {@code network}
   * @param lost seconds lost to that cause
   * @param of seconds of all steps in that minute
   * @param sentence the rank, the loss, its cause and the evidence
   */
  public record Rank(String subject, String cause, double lost, double of, String sentence) {}

  /** The loss of a rank to one cause, with the labels of the rank and {@code cause}. */
  public record Total(Labels labels, double seconds) {}
}
