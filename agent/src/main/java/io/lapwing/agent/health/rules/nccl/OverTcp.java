package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.host.EnaSource;
import io.lapwing.host.HostMetrics;
import io.lapwing.jobs.JobNetworkMetrics;
import io.lapwing.jobs.JobNetworkSource;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job of several nodes whose NCCL uses TCP over ENA on a node with EFA. A data loader receives, a
 * checkpoint sends, and both leave EFA idle: so the traffic must go both ways, the job must have
 * other nodes, and its processes must lack what EFA needs.
 */
final class OverTcp implements HealthRule {

  private static final String BUSY = "busy_bytes_per_second";
  private static final String SHARE = "share_of_efa";
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final String TCP = "tcp";
  private static final String UNKNOWN = "unknown";

  private static final String UNREADABLE =
      "A job that communicates with other nodes leaves EFA idle, so that NCCL probably uses TCP. Which libraries it has loaded is not known: reading that needs CAP_SYS_PTRACE.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nccl_over_tcp")
        .about("NCCL of a job of several nodes uses TCP, although the node has EFA.")
        .why(
            "TCP over ENA has a small part of EFA's bandwidth, so each collective between nodes is several times slower. The job's owner has to load aws-ofi-nccl in the container or environment, with libfabric's EFA provider; the node is well.")
        .document("AWS, Get started with EFA and NCCL; NCCL user guide, NCCL_NET_PLUGIN, NCCL_NET")
        .disposition(Disposition.EXTERNAL)
        .openAfter(Duration.ofMinutes(3))
        .closeAfter(Duration.ofMinutes(5))
        .threshold(BUSY, 5e7, 1e6, 1e11, "bytes per second")
        .meaning(
            "Minimum mean rate over ENA in 5 minutes, sent and received each; Lapwing's own choice, far above acknowledgements and logs.")
        .threshold(SHARE, 0.01, 0, 1, "ratio")
        .meaning(
            "Share of the bytes over ENA that EFA may have moved in the same time; Lapwing's own choice.")
        .reads(
            HostMetrics.ENA_RECEIVED,
            JobNetworkMetrics.INFO,
            TrainingMetrics.INFO,
            TrainingMetrics.VERIFIED,
            NcclMetrics.RANKS,
            NcclMetrics.COLLECTIVES_STILL)
        .trends(
            HostMetrics.ENA_RECEIVED,
            HostMetrics.ENA_TRANSMITTED,
            EfaMetrics.TX_BYTES,
            EfaMetrics.RX_BYTES,
            TrainingMetrics.STEPS)
        .build();
  }

  @Override
  public Map<String, List<Metric>> trends() {
    return Map.of(
        EnaSource.ENA,
        List.of(HostMetrics.ENA_RECEIVED, HostMetrics.ENA_TRANSMITTED),
        EfaSource.KIND,
        List.of(EfaMetrics.TX_BYTES, EfaMetrics.RX_BYTES),
        TrainingSource.KIND,
        List.of(TrainingMetrics.STEPS));
  }

  @Override
  public String kind() {
    return JobNetworkSource.KIND;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<JobProcess> processes =
        view.whole(JobNetworkSource.KIND)
            .filter(PartStatus::answers)
            .map(JobProcess::all)
            .orElse(List.of());
    Optional<NodeBytes> bytes =
        processes.isEmpty()
            ? Optional.empty()
            : NodeBytes.of(view, WINDOW).filter(all -> isTcpLike(all, policy));
    if (bytes.isEmpty()) {
      return List.of();
    }
    OtherNodes others = new OtherNodes(view, WINDOW);
    List<JobProcess> overTcp =
        processes.stream().filter(one -> one.network().equals(TCP) && others.mayHave(one)).toList();
    if (!overTcp.isEmpty()) {
      return List.of(
          detection(
              JobProcess.words(overTcp, "NCCL over TCP") + "; " + words(bytes.get()), policy));
    }
    List<JobProcess> unknown =
        processes.stream()
            .filter(one -> one.network().equals(UNKNOWN) && others.communicatesWith(one))
            .toList();
    return unknown.isEmpty()
        ? List.of()
        : List.of(
            detection(
                    JobProcess.words(unknown, "collectives without EFA")
                        + "; "
                        + words(bytes.get()),
                    policy)
                .withForm(Disposition.info(), UNREADABLE));
  }

  private static boolean isTcpLike(NodeBytes bytes, RulePolicy policy) {
    double least = Math.min(bytes.received(), bytes.sent());
    return least / WINDOW.toSeconds() >= policy.threshold(BUSY)
        && bytes.efa() <= policy.threshold(SHARE) * least;
  }

  private static String words(NodeBytes bytes) {
    return "in %s the node received %s and sent %s over ENA, and moved %s over EFA"
        .formatted(
            RuleText.duration(WINDOW),
            gigabytes(bytes.received()),
            gigabytes(bytes.sent()),
            bytes.efa() == 0 ? "nothing" : gigabytes(bytes.efa()));
  }

  private static String gigabytes(double bytes) {
    return RuleText.number(bytes / 1e9) + " GB";
  }

  private static Detection detection(String what, RulePolicy policy) {
    return policy.detection(
        Subject.NODE,
        what,
        JobNetworkMetrics.INFO,
        HostMetrics.ENA_RECEIVED,
        HostMetrics.ENA_TRANSMITTED,
        EfaMetrics.TX_BYTES);
  }
}
