package io.lapwing.agent.health.rules.gpu;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Memory banks that run out of spare rows. */
final class RemapBanks implements RemapRule {

  private static final String NONE = "banks_without";
  private static final String LOW = "banks_with_few";

  private static final String FEW =
      "A bank with few spare rows still has some; watch for further remapped rows.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("remap_banks")
        .about("Memory banks have few spare rows left, or none.")
        .why(
            "The next uncorrectable error in a bank without a spare row makes the remap fail, which requires a replacement; replacing the node at the end of the job loses no work.")
        .document(
            "NVIDIA GPU Memory Error Management, RMA criteria; nvmlDeviceGetRowRemapperHistogram")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.WATCH)
        .balanced(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(4))
        .threshold(NONE, 1, 1, 10_000, "banks")
        .meaning(
            "Banks without a spare row from which the rule fires; one is enough for a remap to fail.")
        .threshold(LOW, 1, 1, 10_000, "banks")
        .meaning(
            "Banks with few spare rows from which the rule fires; the driver does not define few.")
        .needs(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW, DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    double none = gpu.values().get(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE).orElse(0);
    double low = gpu.values().get(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW).orElse(0);
    boolean empty = none >= policy.threshold(NONE);
    if (!empty && low < policy.threshold(LOW)) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            gpu.subject(),
            what(none, low),
            DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE,
            DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW);
    return Optional.of(empty ? detection : detection.withForm(Disposition.WATCH, FEW));
  }

  private static String what(double none, double low) {
    List<String> parts = new ArrayList<>();
    if (none > 0) {
      parts.add(banks(none) + " no spare row left");
    }
    if (low > 0) {
      parts.add(banks(low) + " few spare rows left");
    }
    return String.join(" and ", parts);
  }

  private static String banks(double banks) {
    return RuleText.count(banks, "memory bank") + (banks == 1 ? " has" : " have");
  }
}
