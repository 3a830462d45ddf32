package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.deep.DeepCheckSource;
import io.lapwing.deep.DeepMetrics;
import io.lapwing.deep.DeepResult.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/** A GPU that did not pass the last {@code lapwing check --deep}. */
final class DeepCheck implements HealthRule {

  private static final int UUID = 1;
  private static final int TEST = 2;
  private static final int OUTCOME = 3;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("deep_check")
        .about("The last lapwing check --deep found wrong results, an error, a hang or low speed.")
        .why(
            "A GPU that computes or copies wrongly, or hangs, spoils every job that it takes part in.")
        .document("docs/deep-check.md; NVIDIA DCGM, diagnostics")
        .aws(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.failing(Action.RESET_GPU, Urgency.JOB_END))
        .escalates()
        .reads(DeepMetrics.PROBLEM, DeepMetrics.TOOL_PASSED, DeepMetrics.TIME)
        .build();
  }

  @Override
  public String kind() {
    return DeepCheckSource.DEEP_CHECK;
  }

  /** A finding stays open while the result cannot be read; without a result it closes. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.whole(kind()).filter(PartStatus::isRead).isPresent();
  }

  /** Released GPUs are not listed, and their findings are not over. */
  @Override
  public boolean readsReleased() {
    return false;
  }

  /** Results about GPUs that are no longer in the node do not count. */
  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Detection> found = new ArrayList<>();
    Optional<Values> values =
        view.whole(kind()).filter(PartStatus::answers).map(PartStatus::values);
    values.ifPresent(
        read -> {
          view.gpus().stream()
              .flatMap(gpu -> evaluate(gpu, read, policy).stream())
              .filter(one -> !isReset(one, read, view))
              .forEach(found::add);
          tools(read, policy).ifPresent(found::add);
        });
    return found;
  }

  /** Whether the reset or reboot that it asked for was done, and no check has been made since. */
  private static boolean isReset(Detection one, Values values, NodeSnapshot view) {
    OptionalDouble tested = values.get(DeepMetrics.TIME);
    return tested.isPresent()
        && one.subject() instanceof Subject.Gpu gpu
        && DeepCheckReset.isAfter(
            Instant.ofEpochMilli(Math.round(tested.getAsDouble() * 1e3)), one, gpu.uuid(), view);
  }

  private static Optional<Detection> evaluate(GpuStatus gpu, Values values, RulePolicy policy) {
    Set<String> slow = new TreeSet<>();
    Set<String> defective = new TreeSet<>();
    values.each(
        DeepMetrics.PROBLEM,
        (labels, one) -> {
          if (labels.get(UUID).equals(gpu.uuid())) {
            boolean only = labels.get(OUTCOME).equals(Outcome.SLOW.text());
            (only ? slow : defective).add(words(labels));
          }
        });
    if (defective.isEmpty() && slow.isEmpty()) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            gpu.subject(),
            "in the last deep check, " + RuleText.list(defective.isEmpty() ? slow : defective),
            DeepMetrics.PROBLEM);
    return Optional.of(
        defective.isEmpty()
            ? detection.withForm(
                Disposition.WATCH,
                "Its results are right; a job that uses all GPUs runs at the speed of the slowest.")
            : detection);
  }

  private static String words(List<String> labels) {
    String test = labels.get(TEST).replace('_', ' ');
    return switch (labels.get(OUTCOME)) {
      case "slow" -> test + " was slow";
      case "wrong" -> test + " gave wrong results";
      case "hung" -> test + " did not end within its deadline";
      default -> test + " failed";
    };
  }

  private static Optional<Detection> tools(Values values, RulePolicy policy) {
    Set<String> failed = new TreeSet<>();
    values.each(
        DeepMetrics.TOOL_PASSED,
        (labels, passed) -> {
          if (passed == 0) {
            failed.add(labels.get(0));
          }
        });
    return failed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            policy
                .detection(
                    Subject.NODE,
                    "in the last deep check, " + RuleText.list(failed) + " did not pass",
                    DeepMetrics.TOOL_PASSED)
                .withForm(
                    Disposition.WATCH,
                    "The tool names the part; its output is in the result of the deep check."));
  }
}
