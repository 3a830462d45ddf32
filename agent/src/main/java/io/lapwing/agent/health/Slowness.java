package io.lapwing.agent.health;

import io.lapwing.metric.Labels;
import java.util.List;

/**
 * What training on this node loses time to.
 *
 * @param ranks that lost time in the last minute, those that lost most first
 * @param totals of all ranks that are there, since each was seen first
 */
public record Slowness(List<Rank> ranks, List<Total> totals) {

  /** Where nothing is trained. */
  public static final Slowness NONE = new Slowness(List.of(), List.of());

  public Slowness {
    ranks = List.copyOf(ranks);
    totals = List.copyOf(totals);
  }

  /**
   * A rank that lost time in the last minute.
   *
   * @param subject {@code training:4711/3}
   * @param cause of most of it, a word such as {@code input} or {@code network}
   * @param lost seconds lost to that cause
   * @param of seconds that the steps of that minute took
   * @param sentence who lost how much to what, and how that is known
   */
  public record Rank(String subject, String cause, double lost, double of, String sentence) {}

  /**
   * What a rank lost to one cause.
   *
   * @param labels of the rank, and {@code cause}
   */
  public record Total(Labels labels, double seconds) {}
}
