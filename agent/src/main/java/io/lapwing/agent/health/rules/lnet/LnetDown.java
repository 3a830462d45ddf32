package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.lnet.LnetMetrics;
import io.lapwing.lnet.LnetSource;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A network interface that LNet no longer uses. */
public final class LnetDown implements LnetRule {

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.NOW);

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lnet_down",
          "A network interface through which Lustre is reached is down.",
          "Lustre continues over the other interfaces if there are any, with less bandwidth; check the link and its driver.",
          "Lustre Operations Manual, lnetctl net show; status of lnet/nis",
          WATCH,
          WATCH,
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(LnetMetrics.NI_UP);
  }

  @Override
  public List<Detection> evaluate(PartStatus lnet, NodeSnapshot view, RulePolicy policy) {
    Map<List<String>, Double> up = lnet.values().all(LnetMetrics.NI_UP);
    return up.entrySet().stream()
        .filter(ni -> ni.getValue() == 0)
        .map(ni -> ni.getKey().get(0))
        .sorted()
        .map(nid -> detection(nid, up.size(), policy))
        .toList();
  }

  private static Detection detection(String nid, int interfaces, RulePolicy policy) {
    return Detection.now(
        SPEC,
        policy,
        new Subject.Part(LnetSource.LNET, nid),
        interfaces == 1
            ? "the only network interface of LNet is down"
            : "one of " + interfaces + " network interfaces of LNet is down",
        LnetMetrics.NI_UP.name());
  }
}
