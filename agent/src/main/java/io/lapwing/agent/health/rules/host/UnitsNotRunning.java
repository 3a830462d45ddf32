package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostMetrics;
import io.lapwing.host.UnitSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A systemd unit of {@code --node.units} that does not run, or restarts repeatedly. */
final class UnitsNotRunning implements HostPartRule {

  private static final String RESTARTS = "restarts";
  private static final String RUNS_AGAIN =
      "systemd restarts it already; another restart does not help. journalctl -u shows why it ends.";
  private static final String UNKNOWN = "Without systemd's folder a stopped unit goes unnoticed.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("unit_not_running")
        .about("A systemd unit of --node.units is inactive or failed, or restarts repeatedly.")
        .why(
            "The site requires this unit on the node; without it jobs do not start, or fail. systemctl status shows the reason.")
        .document("systemd, src/core/unit.c (unit_notify)")
        .disposition(Disposition.degraded(Action.RESTART_SERVICE, Urgency.JOB_END))
        .openAfter(Duration.ofMinutes(2))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(RESTARTS, 3, 1, 1_000, "restarts")
        .meaning("Within ten minutes; Lapwing's own choice.")
        .needs(HostMetrics.UNIT_RUNNING)
        .trends(HostMetrics.UNIT_RESTARTS)
        .build();
  }

  @Override
  public String kind() {
    return UnitSource.UNITS;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Optional<PartStatus> down =
        view.whole(kind())
            .filter(
                part ->
                    part.state() == PartStatus.State.DOWN || part.state() == PartStatus.State.HUNG);
    return down.isPresent()
        ? List.of(
            policy
                .detection(
                    Subject.NODE,
                    "the state of the systemd units is unknown: " + down.get().reason(),
                    HostMetrics.UNIT_RUNNING)
                .withForm(Disposition.WATCH, UNKNOWN))
        : HostPartRule.super.evaluate(view, policy);
  }

  @Override
  public Optional<Detection> evaluate(Values values, NodeSnapshot view, RulePolicy policy) {
    Set<String> stopped = new TreeSet<>();
    Set<String> restarting = new TreeSet<>();
    values
        .all(HostMetrics.UNIT_RUNNING)
        .forEach(
            (labels, running) -> {
              double restarts =
                  view.trends()
                      .increase(kind(), HostMetrics.UNIT_RESTARTS, labels, Trends.LONGEST)
                      .orElse(0);
              if (running == 0) {
                stopped.add(labels.get(0) + " is not running");
              } else if (restarts >= policy.threshold(RESTARTS)) {
                restarting.add(
                    labels.get(0)
                        + " restarted "
                        + RuleText.count(restarts, "time")
                        + " in 10 min");
              }
            });
    Set<String> words = new TreeSet<>(stopped);
    words.addAll(restarting);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            Subject.NODE,
            RuleText.list(words),
            HostMetrics.UNIT_RUNNING,
            HostMetrics.UNIT_RESTARTS);
    return Optional.of(
        stopped.isEmpty() ? detection.withForm(Disposition.WATCH, RUNS_AGAIN) : detection);
  }
}
