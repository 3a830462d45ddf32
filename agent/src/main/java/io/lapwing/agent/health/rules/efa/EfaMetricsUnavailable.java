package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An EFA device without metrics: it hangs, or its counters cannot be read. */
final class EfaMetricsUnavailable implements EfaRule {

  private static final String NONE_ANSWERS =
      "No device of this node has traffic counters. This happens if the driver is newer than the hardware: it requests counters that older devices do not have.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("efa_blind")
        .about("An EFA device hangs, or its traffic counters cannot be read.")
        .why("The device itself supplies the counters, so one that does not may be faulty.")
        .document("EFA driver, efa_verbs.c: one query that fails fails all counters of the port")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofSeconds(10))
        .reads(EfaMetrics.TX_BYTES)
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    boolean anyTraffic =
        EfaRule.answering(view).stream().anyMatch(EfaMetricsUnavailable::hasTraffic);
    List<Detection> found = new ArrayList<>();
    view.whole(EfaSource.KIND)
        .flatMap(all -> evaluate(all, anyTraffic, policy))
        .ifPresent(found::add);
    for (PartStatus device : view.parts(EfaSource.KIND)) {
      evaluate(device, anyTraffic, policy).ifPresent(found::add);
    }
    return found;
  }

  private static Optional<Detection> evaluate(
      PartStatus part, boolean siblingsAnswer, RulePolicy policy) {
    return switch (part.state()) {
      case HUNG, DOWN -> Optional.of(detection(part, "cannot be read: " + part.reason(), policy));
      case NOTHING_HERE, GONE -> Optional.empty();
      case ANSWERS, ANSWERS_LATE ->
          part.name().isEmpty() || hasTraffic(part)
              ? Optional.empty()
              : Optional.of(unreadable(part, siblingsAnswer, policy));
    };
  }

  private static Detection unreadable(PartStatus part, boolean siblingsAnswer, RulePolicy policy) {
    Detection detection =
        detection(part, "is present, but its traffic counters cannot be read", policy);
    return siblingsAnswer ? detection : detection.withForm(Disposition.info(), NONE_ANSWERS);
  }

  private static boolean hasTraffic(PartStatus device) {
    return device.values().has(EfaMetrics.TX_BYTES);
  }

  private static Detection detection(PartStatus part, String what, RulePolicy policy) {
    return policy.detection(part.subject(), what, EfaMetrics.UP);
  }
}
