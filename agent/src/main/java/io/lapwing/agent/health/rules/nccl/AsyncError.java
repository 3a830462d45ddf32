package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.nccl.NcclMetrics;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Ranks of this node that NCCL reports as failed. */
final class AsyncError implements NcclRule {

  private static final int OK = 0;
  private static final int REMOTE = 6;
  private static final int IN_PROGRESS = 7;

  private static final Map<Integer, String> RESULTS =
      Map.of(
          1,
          "a CUDA error",
          2,
          "a system error",
          3,
          "an internal error",
          4,
          "an invalid argument",
          5,
          "an invalid usage",
          REMOTE,
          "a remote error",
          8,
          "a timeout");

  private static final String OF_A_PEER =
      "A remote error means that a peer ended or the path to it failed, so this node need not be at fault.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nccl_async_error")
        .about("NCCL reports an asynchronous error of a rank on this node.")
        .why(
            "The communicator is unusable and the job has to be restarted; for the cause (the GPU, the network or the program) see the other findings of the same time.")
        .document("NCCL user guide, ncclGetAsyncError; RAS: async_error")
        .disposition(Disposition.EXTERNAL)
        .closeAfter(Duration.ofMinutes(2))
        .needs(NcclMetrics.RANK_ASYNC_ERROR)
        .build();
  }

  /** A rank's own error takes precedence over one that reports a peer. */
  @Override
  public Optional<Detection> evaluate(Values ras, NodeSnapshot view, RulePolicy policy) {
    Map<Integer, Set<String>> gpus =
        new TreeMap<>(
            Comparator.comparing(AsyncError::isRemote).thenComparing(Comparator.naturalOrder()));
    for (Map.Entry<List<String>, Double> rank : ras.all(NcclMetrics.RANK_ASYNC_ERROR).entrySet()) {
      int result = rank.getValue().intValue();
      if (result != OK && result != IN_PROGRESS) {
        gpus.computeIfAbsent(result, unseen -> new TreeSet<>()).add(who(rank.getKey()));
      }
    }
    return gpus.entrySet().stream()
        .findFirst()
        .map(first -> detection(first.getKey(), first.getValue(), policy));
  }

  private static boolean isRemote(int result) {
    return result == REMOTE;
  }

  private static String who(List<String> labels) {
    String gpu = labels.get(2);
    return gpu.isEmpty() ? "rank " + labels.get(1) : "GPU " + gpu;
  }

  private static Detection detection(int result, Set<String> who, RulePolicy policy) {
    Detection detection =
        policy.detection(
            Subject.NODE,
            "NCCL reports "
                + RESULTS.getOrDefault(result, "error " + result)
                + " on "
                + RuleText.list(who),
            NcclMetrics.RANK_ASYNC_ERROR);
    return isRemote(result) ? detection.withForm(Disposition.info(), OF_A_PEER) : detection;
  }
}
