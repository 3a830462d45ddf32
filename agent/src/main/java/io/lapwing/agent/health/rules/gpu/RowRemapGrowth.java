package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event.RowsRemapped;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
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

/** Rows that were remapped within a day, or a total near the limit. */
final class RowRemapGrowth implements GpuRule {

  private static final Duration THIRTY_DAYS = Duration.ofDays(30);
  private static final Duration DAY = Duration.ofHours(24);

  /** Beyond this number the driver sets the failure flag. */
  private static final int LIMIT = 512;

  private static final String UNCORRECTABLE = "uncorrectable_per_day";
  private static final String MONTH = "uncorrectable_per_month";
  private static final String CORRECTABLE = "correctable_per_day";
  private static final String TOTAL = "uncorrectable_total";

  private static final String FEW =
      "Rows remapped for correctable errors cost no work; rows for uncorrectable errors take precedence over them.";

  private static final String IN_USE =
      "The spare rows have been in use since the reset, and the GPU is as good as before; more rows may follow.";

  private record Growth(long correctable, long uncorrectable) {}

  private static final Growth NONE = new Growth(0, 0);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("row_remap_growth")
        .about("Rows of memory were remapped in the last 24 hours, or the total is near the limit.")
        .why(
            "Memory that keeps developing bad rows runs out of spare ones; AWS advises to replace it before it does.")
        .document(
            "NVIDIA GPU Memory Error Management, RMA criteria; for AWS, the EKS node monitoring agent on XID 63")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.WATCH)
        .balanced(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(UNCORRECTABLE, 1, 1, LIMIT, "rows")
        .presetOfBalanced(LIMIT)
        .meaning(
            "New rows for uncorrectable errors in 24 hours from which the rule fires; each was an error that cost work.")
        .threshold(MONTH, LIMIT, 1, LIMIT, "rows")
        .presetOfBalanced(2)
        .meaning(
            "New rows for uncorrectable errors in 30 days from which the rule fires: under profile balanced the second, since a reset clears the first.")
        .threshold(CORRECTABLE, 8, 1, LIMIT, "rows")
        .meaning(
            "New rows for correctable errors in 24 hours that are still normal; a published rule set has 8, after a GPU that remapped 254 rows in 55 days without any XID and then disappeared.")
        .threshold(TOTAL, 448, 1, LIMIT, "rows")
        .meaning(
            "Total rows for uncorrectable errors from which the limit of 512 is near: seven eighths of it, Lapwing's own choice.")
        .needs(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, DcgmMetrics.CORRECTABLE_REMAPPED_ROWS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    List<RowsRemapped> events =
        view.history().of(RowsRemapped.class, rows -> rows.gpu().equals(gpu.uuid()));
    Growth growth = growth(events, view.now().minus(DAY));
    long inMonth = growth(events, view.now().minus(THIRTY_DAYS)).uncorrectable();
    // With MIG instances the driver does not report it: rows stay remapped.
    double total =
        gpu.values()
            .get(DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS)
            .orElseGet(() -> events.isEmpty() ? 0 : events.get(events.size() - 1).uncorrectable());
    List<String> grave = new ArrayList<>();
    List<String> settled = new ArrayList<>();
    if (growth.uncorrectable() >= policy.threshold(UNCORRECTABLE)) {
      (isSettled(gpu.uuid(), view, policy) ? settled : grave)
          .add(remapped(growth.uncorrectable(), "uncorrectable", "24 h"));
    }
    if (inMonth >= policy.threshold(MONTH)) {
      grave.add(remapped(inMonth, "uncorrectable", "30 days"));
    }
    if (total >= policy.threshold(TOTAL)) {
      grave.add(RuleText.number(total) + " of at most " + LIMIT + " rows are remapped");
    }
    boolean many = growth.correctable() > policy.threshold(CORRECTABLE);
    List<String> all = new ArrayList<>(grave);
    all.addAll(settled);
    if (many) {
      all.add(remapped(growth.correctable(), "correctable", "24 h"));
    }
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            gpu.subject(),
            String.join("; ", all),
            DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS,
            DcgmMetrics.CORRECTABLE_REMAPPED_ROWS);
    if (!grave.isEmpty()) {
      return Optional.of(detection);
    }
    return Optional.of(
        many
            ? detection.withForm(Disposition.WATCH, FEW)
            : detection.withForm(Disposition.info(), IN_USE));
  }

  /** If the action is only to watch, the reset that activates the spare rows ends the finding. */
  private static boolean isSettled(String gpu, NodeSnapshot view, RulePolicy policy) {
    return !policy.disposition().action().covers(Action.RESET_GPU)
        && view.history().isResetSinceRemap(gpu);
  }

  private static String remapped(long rows, String errors, String time) {
    return RuleText.count((double) rows, "row")
        + (rows == 1 ? " was" : " were")
        + " remapped for "
        + errors
        + " errors in the last "
        + time;
  }

  private static Growth growth(List<RowsRemapped> events, Instant start) {
    if (events.isEmpty()) {
      return NONE;
    }
    RowsRemapped last = events.get(events.size() - 1);
    Growth before = before(events, start);
    return new Growth(
        last.correctable() - before.correctable(), last.uncorrectable() - before.uncorrectable());
  }

  /** The number of rows at that time, or as first read: those may be of the board's whole life. */
  private static Growth before(List<RowsRemapped> events, Instant start) {
    RowsRemapped before = events.get(0);
    for (RowsRemapped rows : events) {
      before = rows.at().isAfter(start) ? before : rows;
    }
    return new Growth(before.correctable(), before.uncorrectable());
  }
}
