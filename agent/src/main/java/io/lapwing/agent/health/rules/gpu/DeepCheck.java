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
import io.lapwing.agent.health.StateEscalation;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.deep.DeepCheckSource;
import io.lapwing.deep.DeepMetrics;
import io.lapwing.deep.DeepResult.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A GPU that did not pass the last {@code lapwing check --deep}. */
final class DeepCheck implements HealthRule {

  private static final String NAME = "deep_check";
  private static final int GPU = 0;
  private static final int UUID = 1;
  private static final int TEST = 2;
  private static final int OUTCOME = 3;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named(NAME)
        .about("The last lapwing check --deep found wrong results, an error, a hang or low speed.")
        .why(
            "A GPU that computes or copies wrongly, or hangs, spoils every job that it takes part in.")
        .document("docs/deep-check.md; NVIDIA DCGM, diagnostics")
        .aws(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.failing(Action.RESET_GPU, Urgency.JOB_END))
        .reads(DeepMetrics.PROBLEM, DeepMetrics.FOUND, DeepMetrics.TOOL_PASSED)
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
              .flatMap(gpu -> evaluate(gpu, read, policy, view).stream())
              .forEach(found::add);
          tools(read, policy).ifPresent(found::add);
        });
    return found;
  }

  private static Optional<Detection> evaluate(
      GpuStatus gpu, Values values, RulePolicy policy, NodeSnapshot view) {
    Problems slow = Problems.of(gpu, values, true, Disposition.WATCH.action(), view);
    Problems defective = Problems.of(gpu, values, false, policy.disposition().action(), view);
    if (!defective.words().isEmpty()) {
      Detection detection = detection(gpu, defective, policy);
      return Optional.of(
          defective.remain()
              ? new StateEscalation(view.history(), view.now()).of(detection)
              : detection);
    }
    return slow.words().isEmpty()
        ? Optional.empty()
        : Optional.of(
            detection(gpu, slow, policy)
                .withForm(
                    Disposition.WATCH,
                    "Its results are right; a job that uses all GPUs runs at the speed of the slowest."));
  }

  private static Detection detection(GpuStatus gpu, Problems problems, RulePolicy policy) {
    return policy.detection(
        gpu.subject(),
        "in the last deep check, " + RuleText.list(problems.words()),
        DeepMetrics.PROBLEM);
  }

  /**
   * The tests of a GPU that were slow, or that found a defect, without those that its last reset or
   * reboot ended; {@code remain}: one was certainly found after it.
   */
  private record Problems(Set<String> words, boolean remain) {

    static Problems of(
        GpuStatus gpu, Values values, boolean slow, Action action, NodeSnapshot view) {
      Map<String, Instant> found = new TreeMap<>();
      values.each(
          DeepMetrics.PROBLEM,
          (labels, one) -> {
            if (labels.get(UUID).equals(gpu.uuid())
                && labels.get(OUTCOME).equals(Outcome.SLOW.text()) == slow) {
              found.put(DeepCheck.words(labels), found(labels, values));
            }
          });
      if (found.isEmpty()) {
        return new Problems(Set.of(), false); // without a walk through the history
      }
      DeepCheckReset reset = DeepCheckReset.last(NAME, new Subject.Gpu(gpu.uuid()), action, view);
      found.values().removeIf(reset::ended);
      return new Problems(found.keySet(), found.values().stream().anyMatch(reset::didNotEnd));
    }

    private static Instant found(List<String> labels, Values values) {
      OptionalDouble seconds =
          values.get(DeepMetrics.FOUND, labels.get(GPU), labels.get(UUID), labels.get(TEST));
      return seconds.isPresent()
          ? Instant.ofEpochMilli(Math.round(seconds.getAsDouble() * 1e3))
          : Instant.MAX;
    }
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
