package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.metric.NaturalOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Network events that several devices had at once: one device's may be caused by one peer. The only
 * threshold is the number or share of devices.
 */
record EfaEvents(RuleSpec spec, String noun) implements EfaRule {

  private static final String SHARE = "share";
  private static final String DEVICES = "devices";
  private static final String FEW =
      "On so few devices one peer or one path may be the cause; compare the time with that of a hang to see which came first.";

  /** With more devices than this the names are left out. */
  private static final int MAX_NAMES = 4;

  static EfaEvents timeouts() {
    return new EfaEvents(
        spec("efa_timeouts", EfaMetrics.RETRANSMIT_TIMEOUTS)
            .about("EFA devices gave up network paths after a timeout.")
            .why(
                "SRD switches to another path, so the job continues, slower; many devices at once point to the network of this node.")
            .threshold(SHARE, 0.25, 0, 1, "ratio")
            .meaning(
                "Share of the node's devices with timeouts in 5 minutes, above which the rule fires; Lapwing's own choice, where AWS warns of any.")
            .build(),
        "timeout");
  }

  static EfaEvents unresponsivePeers() {
    return new EfaEvents(
        devices(spec("efa_unresponsive_peer", EfaMetrics.UNRESPONSIVE_PEERS))
            .disposition(Disposition.EXTERNAL)
            .about("Peers did not respond to EFA devices of this node.")
            .why(
                "Either the peer is gone or this node's packets do not arrive; compare with the other nodes of the job.")
            .build(),
        "unresponsive-peer event");
  }

  static EfaEvents impairedPeers() {
    return new EfaEvents(
        devices(spec("efa_impaired_peer", EfaMetrics.IMPAIRED_PEERS))
            .disposition(Disposition.EXTERNAL)
            .about("Connections of EFA devices became impaired, and their rate was limited.")
            .why(
                "The device itself limits the rate, so a job is slower than its network; check the peer and the path to it first.")
            .build(),
        "impaired-connection event");
  }

  private static RuleSpec.Builder devices(RuleSpec.Builder spec) {
    return spec.threshold(DEVICES, 2, 1, 64, "devices")
        .meaning(
            "Minimum number of affected devices of the node within 5 minutes; Lapwing's own choice.");
  }

  private static RuleSpec.Builder spec(String name, Metric counter) {
    return RuleSpec.named(name)
        .document("AWS, EFA counters of the CloudWatch agent; thresholds are Lapwing's")
        .disposition(Disposition.WATCH)
        .closeAfter(Duration.ofMinutes(1))
        .needs(counter)
        .trends(counter);
  }

  private Metric counter() {
    return spec.trends().get(0);
  }

  /** Cannot be evaluated if there are devices and none of them answers. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.parts(kind()).isEmpty() || !EfaRule.answering(view).isEmpty();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<PartStatus> devices = EfaRule.answering(view);
    Map<String, Double> events = new TreeMap<>(NaturalOrder.OF_NAMES);
    for (PartStatus device : devices) {
      double increase = EfaRule.increase(device, view, counter(), WINDOW).orElse(0);
      if (increase >= 1) {
        events.put(device.name(), increase);
      }
    }
    if (events.isEmpty()) {
      return List.of();
    }
    Detection detection = policy.detection(Subject.NODE, what(events, devices.size()), counter());
    return List.of(
        counts(events.size(), devices.size(), policy)
            ? detection
            : detection.withForm(Disposition.info(), FEW));
  }

  private boolean counts(int hit, int all, RulePolicy policy) {
    return spec.thresholds().get(0).name().equals(SHARE)
        ? hit > policy.threshold(SHARE) * all
        : hit >= policy.threshold(DEVICES);
  }

  private String what(Map<String, Double> events, int all) {
    double sum = events.values().stream().mapToDouble(Double::doubleValue).sum();
    String names = events.size() > MAX_NAMES ? "" : " (" + RuleText.list(events.keySet()) + ")";
    return "%s on %s of %s%s in the last %s"
        .formatted(
            RuleText.count(sum, noun),
            events.size(),
            RuleText.count(all, "EFA device"),
            names,
            RuleText.duration(WINDOW));
  }
}
