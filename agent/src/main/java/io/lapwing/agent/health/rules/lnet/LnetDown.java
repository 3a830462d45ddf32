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
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A network interface that LNet no longer uses. */
final class LnetDown implements LnetRule {

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.NOW);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lnet_down")
        .about("A network interface through which Lustre is reached is down.")
        .why(
            "Lustre continues over the other interfaces if there are any, with less bandwidth; check the link and its driver.")
        .document("Lustre Operations Manual, lnetctl net show; status of lnet/nis")
        .disposition(WATCH)
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(30))
        .needs(LnetMetrics.NI_UP)
        .build();
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
    return policy.detection(
        new Subject.Part(LnetSource.LNET, nid),
        interfaces == 1
            ? "the only network interface of LNet is down"
            : "one of " + interfaces + " network interfaces of LNet is down",
        LnetMetrics.NI_UP);
  }
}
