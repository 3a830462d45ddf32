package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Threshold;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** RDMA reads, or writes, that ended with an error. */
record EfaRequestErrors(RuleSpec spec, Metric counter, String noun) implements EfaRule.PerDevice {

  private static final String ERRORS = "errors";

  static EfaRequestErrors ofReads() {
    return new EfaRequestErrors(
        spec("efa_read_errors", "RDMA reads of an EFA device ended with errors."),
        EfaMetrics.RDMA_READ_ERRORS,
        "RDMA read");
  }

  static EfaRequestErrors ofWrites() {
    return new EfaRequestErrors(
        spec("efa_write_errors", "RDMA writes of an EFA device ended with errors."),
        EfaMetrics.RDMA_WRITE_ERRORS,
        "RDMA write");
  }

  private static RuleSpec spec(String name, String about) {
    return new RuleSpec(
        name,
        about,
        "The application gets each error, and most then give up; the cause may be on this side or the peer's. See the job's log.",
        "AWS, EFA counters rdma_read_wr_err and rdma_write_wr_err",
        WATCH,
        WATCH,
        Duration.ZERO,
        Duration.ofMinutes(1),
        List.of(
            new Threshold(
                ERRORS,
                1,
                1,
                1_000_000,
                "errors",
                "Errors in 5 minutes from which the rule fires; Lapwing's own choice.")));
  }

  @Override
  public List<Metric> needs() {
    return trends();
  }

  @Override
  public List<Metric> trends() {
    return List.of(counter);
  }

  @Override
  public Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    double errors = EfaRule.increase(device, view, counter, WINDOW).orElse(0);
    return errors < policy.threshold(ERRORS)
        ? Optional.empty()
        : Optional.of(
            Detection.now(
                spec,
                policy,
                device.subject(),
                RuleText.count(errors, noun)
                    + " ended with an error in the last "
                    + RuleText.duration(WINDOW),
                counter.name()));
  }
}
