package io.lapwing.agent.health.rules.lnet;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Threshold;
import io.lapwing.agent.health.Urgency;
import io.lapwing.lnet.LnetMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Messages between this node and the file servers that are dropped. */
public final class LnetDrops implements LnetRule {

  private static final String MESSAGES = "messages";

  private static final Duration WINDOW = Duration.ofMinutes(5);

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

  private static final RuleSpec SPEC =
      new RuleSpec(
          "lnet_drops",
          "LNet drops messages between this node and the Lustre servers.",
          "A dropped message is retransmitted after a timeout of many seconds, during which the file system stalls; the cause may be on either side or between them.",
          "Lustre Operations Manual, lnet stats; drop_count of lnet/stats",
          WATCH,
          WATCH,
          Duration.ZERO,
          Duration.ofMinutes(2),
          List.of(
              new Threshold(
                  MESSAGES,
                  10,
                  1,
                  1_000_000,
                  "messages",
                  "Messages dropped within 5 minutes; Lapwing's own choice, as a reconnect drops a few.")));

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(LnetMetrics.DROPPED_MESSAGES);
  }

  @Override
  public List<Metric> trends() {
    return List.of(LnetMetrics.DROPPED_MESSAGES);
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
            Detection.now(
                SPEC,
                policy,
                lnet.subject(),
                String.format(Locale.ROOT, "LNet dropped %.0f messages in the last 5 min", dropped),
                LnetMetrics.DROPPED_MESSAGES.name()));
  }
}
