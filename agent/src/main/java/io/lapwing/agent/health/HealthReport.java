package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be said of the node now.
 *
 * @param at when it was judged
 * @param since when the verdict on the node last changed
 * @param summary one sentence: the worst finding, or why it is healthy
 * @param gpus each GPU with its own verdict, by index
 * @param findings worst first
 * @param unwatched rules that cannot see what they need, each with what is missing
 */
public record HealthReport(
    Instant at,
    Verdict verdict,
    Action action,
    Optional<Urgency> urgency,
    Instant since,
    String summary,
    List<GpuVerdict> gpus,
    List<Finding> findings,
    Map<String, String> unwatched,
    String profile,
    boolean simulated) {

  public HealthReport {
    gpus = List.copyOf(gpus);
    findings = List.copyOf(findings);
    unwatched = Map.copyOf(unwatched);
  }

  /** The verdict on one GPU. */
  public record GpuVerdict(
      String uuid, int index, String pci, Verdict verdict, Action action, Instant since) {}
}
