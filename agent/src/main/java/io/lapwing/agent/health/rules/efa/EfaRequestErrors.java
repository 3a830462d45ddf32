package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.Optional;

/** RDMA reads, or writes, that ended with an error. */
record EfaRequestErrors(RuleSpec spec, String noun) implements EfaRule.PerDevice {

  private static final String ERRORS = "errors";

  static EfaRequestErrors ofReads() {
    return new EfaRequestErrors(
        spec("efa_read_errors", EfaMetrics.RDMA_READ_ERRORS)
            .about("RDMA reads of an EFA device ended with errors.")
            .build(),
        "RDMA read");
  }

  static EfaRequestErrors ofWrites() {
    return new EfaRequestErrors(
        spec("efa_write_errors", EfaMetrics.RDMA_WRITE_ERRORS)
            .about("RDMA writes of an EFA device ended with errors.")
            .build(),
        "RDMA write");
  }

  private static RuleSpec.Builder spec(String name, Metric counter) {
    return RuleSpec.named(name)
        .why(
            "The application gets each error, and most then give up; the cause may be on this side or the peer's. See the job's log.")
        .document("AWS, EFA counters rdma_read_wr_err and rdma_write_wr_err")
        .disposition(Disposition.EXTERNAL)
        .closeAfter(Duration.ofMinutes(1))
        .threshold(ERRORS, 1, 1, 1_000_000, "errors")
        .meaning("Errors in 5 minutes from which the rule fires; Lapwing's own choice.")
        .needs(counter)
        .trends(counter);
  }

  @Override
  public Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    double errors = EfaRule.increase(device, view, spec.trends().get(0), WINDOW).orElse(0);
    return errors < policy.threshold(ERRORS)
        ? Optional.empty()
        : Optional.of(
            policy.detection(
                device.subject(),
                RuleText.count(errors, noun)
                    + " ended with an error in the last "
                    + RuleText.duration(WINDOW),
                spec.trends().get(0)));
  }
}
