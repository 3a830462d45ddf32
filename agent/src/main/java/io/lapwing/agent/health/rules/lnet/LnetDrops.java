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

/** Messages between this node and the file servers that are dropped. */
final class LnetDrops implements LnetRule {

  private static final String MESSAGES = "messages";

  private static final Duration WINDOW = Duration.ofMinutes(5);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("lnet_drops")
        .about("LNet drops messages between this node and the Lustre servers.")
        .why(
            "A dropped message is retransmitted after a timeout of many seconds, during which the file system stalls; the cause may be on either side or between them.")
        .document("Lustre Operations Manual, lnet stats; drop_count of lnet/stats")
        .disposition(Disposition.WATCH)
        .closeAfter(Duration.ofMinutes(2))
        .threshold(MESSAGES, 10, 1, 1_000_000, "messages")
        .meaning(
            "Messages dropped within 5 minutes; Lapwing's own choice, as a reconnect drops a few.")
        .needs(LnetMetrics.DROPPED_MESSAGES)
        .trends(LnetMetrics.DROPPED_MESSAGES)
        .build();
  }

  @Override
  public List<Detection> evaluate(PartStatus lnet, NodeSnapshot view, RulePolicy policy) {
    double dropped =
        view.trends()
            .increase(lnet.key(), LnetMetrics.DROPPED_MESSAGES, List.of(), WINDOW)
            .orElse(0);
    return dropped < policy.threshold(MESSAGES)
        ? List.of()
        : List.of(
            policy.detection(
                lnet.subject(),
                String.format(Locale.ROOT, "LNet dropped %.0f messages in the last 5 min", dropped),
                LnetMetrics.DROPPED_MESSAGES));
  }
}
