package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.lnet.LnetMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Servers whose messages are queued because too many are in flight. */
final class LnetCredits implements LnetRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lnet_credits")
        .about("Messages to Lustre servers wait for send credits for minutes.")
        .why(
            "This indicates a slow server or too few credits for the work (peer_credits, credits). It does no harm by itself, so the verdict does not change.")
        .document("Lustre Operations Manual, tuning LNet credits; tx of lnet/peers")
        .disposition(Disposition.info())
        .openAfter(Duration.ofMinutes(2))
        .closeAfter(Duration.ofMinutes(1))
        .needs(LnetMetrics.PEERS_OUT_OF_CREDITS)
        .reads(LnetMetrics.PEERS, LnetMetrics.QUEUED_BYTES)
        .build();
  }

  @Override
  public List<Detection> evaluate(PartStatus lnet, NodeSnapshot view, RulePolicy policy) {
    double waiting = lnet.values().get(LnetMetrics.PEERS_OUT_OF_CREDITS).orElse(0);
    return waiting == 0 ? List.of() : List.of(detection(waiting, lnet, policy));
  }

  private static Detection detection(double waiting, PartStatus lnet, RulePolicy policy) {
    return policy.detection(
        lnet.subject(),
        String.format(
            Locale.ROOT,
            "messages to %.0f of %.0f LNet peers wait for send credits, %.0f bytes in all",
            waiting,
            lnet.values().get(LnetMetrics.PEERS).orElse(waiting),
            lnet.values().get(LnetMetrics.QUEUED_BYTES).orElse(0)),
        LnetMetrics.PEERS_OUT_OF_CREDITS);
  }
}
