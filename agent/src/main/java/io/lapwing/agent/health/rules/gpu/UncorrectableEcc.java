package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.xid.Remediations;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Uncorrectable ECC errors since the last remediation that the policy requires. */
final class UncorrectableEcc implements HealthRule {

  /** How far apart the count of an error and its XID may be. */
  private static final Duration TOGETHER = Duration.ofMinutes(3);

  private static final String CONTAINED =
      "The driver contained the error (XID 94): it ended one application; other running work may finish.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("uncorrectable_ecc")
        .about(
            "Uncorrectable ECC errors since the GPU was last reset, or replaced if the action is a replacement.")
        .why(
            "The work that hit the error is lost, and the row is replaced by its spare only in a reset; AWS replaces the machine rather than wait for the next error.")
        .document("NVIDIA GPU Memory Error Management; NVIDIA XID catalogue, 48, 94 and 95")
        .aws(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW))
        .nvidia(Disposition.failing(Action.RESET_GPU, Urgency.NOW))
        .needs(DcgmMetrics.ECC_DBE_AGG_TOTAL, DcgmMetrics.ECC_DBE_VOL_TOTAL)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Map<String, Optional<Instant>> ends = new HashMap<>();
    List<Event.EccGrowth> all = view.history().of(Event.EccGrowth.class, UncorrectableEcc::isError);
    return all.stream()
        .filter(growth -> isOpen(growth, end(growth.gpu(), ends, view, policy), view))
        .filter(growth -> !isKnown(growth, all, view.history()))
        .collect(
            Collectors.groupingBy(Event.EccGrowth::gpu, LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(errors -> detection(errors, view, policy))
        .toList();
  }

  private static boolean isError(Event.EccGrowth growth) {
    return !growth.corrected() && growth.to() > growth.from();
  }

  private static Optional<Instant> end(
      String gpu, Map<String, Optional<Instant>> ends, NodeSnapshot view, RulePolicy policy) {
    return ends.computeIfAbsent(gpu, unseen -> lastEnd(unseen, view.history(), policy));
  }

  private static boolean isOpen(Event.EccGrowth growth, Optional<Instant> end, NodeSnapshot view) {
    return end.isEmpty()
        || (growth.at().isAfter(end.get())
            && !(growth.since().isBefore(end.get()) && noneSinceReset(growth.gpu(), view)));
  }

  /**
   * Whether this growth only repeats recorded errors: an agent without that history counted them
   * again from zero.
   */
  private static boolean isKnown(
      Event.EccGrowth growth, List<Event.EccGrowth> all, History history) {
    Instant reset = history.lastReset(growth.gpu()).orElse(Instant.MIN);
    long recorded = 0;
    for (Event.EccGrowth one : all) {
      if (one.gpu().equals(growth.gpu())
          && one.at().isBefore(growth.at())
          && one.at().isAfter(reset)) {
        recorded =
            isFirstSight(one) ? Math.max(recorded, one.to()) : recorded + one.to() - one.from();
      }
    }
    return isFirstSight(growth) && recorded >= growth.to();
  }

  private static boolean isFirstSight(Event.EccGrowth growth) {
    return growth.sinceLoad() && growth.from() == 0;
  }

  /**
   * When the remediation that the policy requires was last done, or an operator cleared the
   * finding.
   */
  private static Optional<Instant> lastEnd(String gpu, History history, RulePolicy policy) {
    Remediations remediations = new Remediations();
    String subject = new Subject.Gpu(gpu).text();
    Optional<Instant> last = Optional.empty();
    for (Event event : history.events()) {
      boolean done =
          remediations
              .of(event, gpu)
              .filter(action -> action.covers(policy.disposition().action()))
              .isPresent();
      boolean cleared =
          event instanceof Event.OperatorCleared one && one.covers(policy.spec().name(), subject);
      if (done || cleared) {
        last = Optional.of(event.at());
      }
    }
    return last;
  }

  /** An error from before a reset, read after it; the volatile counter restarts with a reset. */
  private static boolean noneSinceReset(String uuid, NodeSnapshot view) {
    return view.gpu(uuid)
        .filter(gpu -> gpu.answers())
        .map(gpu -> gpu.values().get(DcgmMetrics.ECC_DBE_VOL_TOTAL).orElse(1) == 0)
        .orElse(false);
  }

  private static Detection detection(
      Map.Entry<String, List<Event.EccGrowth>> errors, NodeSnapshot view, RulePolicy policy) {
    List<Event.EccGrowth> growths = errors.getValue();
    long times = growths.stream().mapToLong(growth -> growth.to() - growth.from()).sum();
    Detection detection =
        policy
            .detection(
                new Subject.Gpu(errors.getKey()),
                RuleText.count((double) times, "uncorrectable ECC error"),
                DcgmMetrics.ECC_DBE_AGG_TOTAL)
            .withTimes(growths.get(0).at(), growths.get(growths.size() - 1).at(), times);
    return growths.stream().allMatch(growth -> isContained(growth, view))
        ? detection.withDisposition(contained(policy.disposition()), CONTAINED)
        : detection;
  }

  /** Whether the driver reported it as contained: XID 94 and no XID 95. */
  private static boolean isContained(Event.EccGrowth growth, NodeSnapshot view) {
    return isReported(94, growth, view) && !isReported(95, growth, view);
  }

  private static boolean isReported(int number, Event.EccGrowth growth, NodeSnapshot view) {
    Instant from = growth.since().minus(TOGETHER);
    Instant to = growth.at().plus(TOGETHER);
    return view.history()
        .last(
            Event.Xid.class,
            xid ->
                xid.number() == number
                    && xid.gpu().equals(growth.gpu())
                    && xid.at().isAfter(from)
                    && xid.at().isBefore(to))
        .isPresent();
  }

  private static Disposition contained(Disposition disposition) {
    return disposition.atMost(Disposition.degraded(disposition.action(), Urgency.JOB_END));
  }
}
