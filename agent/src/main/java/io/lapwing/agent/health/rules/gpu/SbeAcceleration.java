package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Corrected ECC errors of a GPU that increase, against its own past and the other GPUs of the node.
 *
 * <p>{@code corrected errors: 412 in the last hour, at least 96 in each of 5 of the last 6 hours;
 * 0.3 an hour in the 6 days before; its siblings' median is 0.1 an hour}
 *
 * <p>Sources: {@link Event.EccGrowth}, and {@code DCGM_FI_DEV_ECC_SBE_AGG_TOTAL} or {@code
 * DCGM_FI_DEV_ECC_SBE_VOL_TOTAL} for the growth since the last event.
 */
public final class SbeAcceleration implements HealthRule {

  static final String FLOOR = "floor_per_hour";
  static final String SEPARATE = "separate_hours";
  static final String OWN = "own_factor";
  static final String CHANCE = "own_chance";
  static final String SIBLINGS = "sibling_factor";
  static final String WATCHED = "watched_hours";
  static final String BASELINE = "baseline_days";

  private static final List<AccelerationSearch> SEARCHES =
      List.of(AccelerationSearch.HOURS, AccelerationSearch.DAYS);

  private static final Duration REMAPS = Duration.ofHours(24);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("sbe_acceleration")
        .about("Corrected ECC errors of one GPU increased, against its own past and its siblings.")
        .why(
            "More corrected errors may precede an uncorrectable one, but no limit is proven: watch"
                + " it, and replace only where rows are being remapped as well.")
        .document("docs/decisions/0008-sbe-acceleration.md: no vendor gives a limit")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.WATCH)
        .closeAfter(Duration.ofHours(6))
        .threshold(FLOOR, 2, 1, 1e9, "errors per hour")
        .meaning(
            "An hour with fewer never counts; no vendor names a limit, so chosen by simulation.")
        .threshold(SEPARATE, 3, 2, 6, "hours")
        .meaning("Minimum number of separate hours; a burst of minutes is one hour.")
        .threshold(OWN, 2, 1, 1000, "ratio")
        .meaning("A past hour counts as equally loud if it had the recent errors divided by this.")
        .threshold(CHANCE, 1e-5, 1e-12, 0.1, "probability")
        .meaning("Maximum probability of so many such hours under an unchanged rate.")
        .threshold(SIBLINGS, 4, 1, 1000, "ratio")
        .meaning("Minimum factor over the errors an hour of the median of the node's other GPUs.")
        .threshold(WATCHED, 24, 6, 720, "hours")
        .meaning("Minimum length of the past, so that it covers each hour of a day.")
        .threshold(BASELINE, 7, 2, 30, "days")
        .meaning("How far back the past goes; the log keeps 7.")
        .needs(DcgmMetrics.ECC_SBE_AGG_TOTAL, DcgmMetrics.ECC_SBE_VOL_TOTAL)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    CorrectedErrors errors = CorrectedErrors.of(view);
    List<Detection> found = new ArrayList<>();
    for (GpuStatus gpu : view.gpus()) {
      acceleration(view, gpu, errors, policy)
          .ifPresent(one -> found.add(detection(view, gpu, one, policy)));
    }
    return found;
  }

  private static Optional<Acceleration> acceleration(
      NodeSnapshot view, GpuStatus gpu, CorrectedErrors errors, RulePolicy policy) {
    for (AccelerationSearch search : SEARCHES) {
      Optional<Acceleration> found =
          search.in(
              errors.of(gpu), errors.watched(), () -> siblings(view, gpu, errors, search), policy);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** The median of the other answering GPUs that have the counter. */
  private static OptionalDouble siblings(
      NodeSnapshot view, GpuStatus gpu, CorrectedErrors errors, AccelerationSearch search) {
    double[] rates =
        view.gpus().stream()
            .filter(other -> !other.uuid().equals(gpu.uuid()))
            .filter(other -> CorrectedErrors.count(other.values()).isPresent())
            .mapToDouble(other -> search.mean(errors.of(other)))
            .toArray();
    return rates.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Median.of(rates));
  }

  private static Detection detection(
      NodeSnapshot view, GpuStatus gpu, Acceleration found, RulePolicy policy) {
    String what = "corrected errors: " + found.text();
    Optional<Event.RowsRemapped> remap = remap(view, gpu);
    Detection detection =
        policy.detection(
            gpu.subject(),
            remap.isPresent() ? what + "; rows were remapped " + remap.get().at() : what,
            "event log",
            CorrectedErrors.metric(gpu.values()).name());
    return remap.isPresent()
        ? detection
        : detection.withDisposition(mild(policy.disposition()), "No row was remapped: watch it.");
  }

  /** The policy's action applies where rows are remapped too; otherwise the action is to watch. */
  private static Disposition mild(Disposition disposition) {
    return disposition.action().covers(Action.WATCH)
        ? new Disposition(disposition.severity(), Action.WATCH, disposition.urgency())
        : disposition;
  }

  private static Optional<Event.RowsRemapped> remap(NodeSnapshot view, GpuStatus gpu) {
    Instant since = view.now().minus(REMAPS);
    Optional<Event.RowsRemapped> newest = Optional.empty();
    Event.@Nullable RowsRemapped before = null;
    for (Event.RowsRemapped rows :
        view.history().of(Event.RowsRemapped.class, remap -> remap.gpu().equals(gpu.uuid()))) {
      // The first event of a GPU is a baseline, not growth.
      if (before != null && rows(rows) > rows(before) && !rows.at().isBefore(since)) {
        newest = Optional.of(rows);
      }
      before = rows;
    }
    return newest;
  }

  private static long rows(Event.RowsRemapped rows) {
    return rows.correctable() + rows.uncorrectable();
  }
}
