package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.EdacSource;
import io.lapwing.host.HostFaultKind;
import io.lapwing.host.HostMetrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A DIMM or processor with many corrected errors. */
final class MemoryCorrected implements HostRule {

  private static final String MANY = "errors";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("host_memory_corrected")
        .about("A DIMM or a processor of the node has many corrected errors.")
        .why(
            "Corrected errors lose no data; a part with many of them is more likely to have an uncorrected one.")
        .document(
            "Linux, Documentation/admin-guide/RAS; Schroeder and others, DRAM errors in the wild, 2009")
        .disposition(Disposition.WATCH)
        .threshold(MANY, 100, 1, 1e9, "errors")
        .meaning(
            "Errors of one device in the kernel log within the time in which they are shown, or in EDAC's counter within ten minutes; Lapwing's own choice.")
        .threshold(SHOWN, DAY, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .trends(HostMetrics.MEMORY_ERRORS)
        .build();
  }

  @Override
  public String kind() {
    return EdacSource.MEMORY;
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.MEMORY_CORRECTED, HostFaultKind.MACHINE_CHECK_CORRECTED);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    double many = policy.threshold(MANY);
    Map<String, Double> counts = faults.byDevice();
    FaultHistory worst = faults.where(fault -> counts.getOrDefault(fault.device(), 0.0) >= many);
    String what = RuleText.count(worst.times(), "corrected hardware error") + worst.ofDevices();
    return worst.detectionOf(policy, what).or(() -> counted(view, policy));
  }

  /** What EDAC counts, where the kernel does not log it (edac_mc_log_ce=0). */
  private static Optional<Detection> counted(NodeSnapshot view, RulePolicy policy) {
    List<String> words =
        HostPartRule.values(EdacSource.MEMORY, view).stream()
            .flatMap(values -> values.all(HostMetrics.MEMORY_ERRORS).keySet().stream())
            .filter(labels -> labels.contains("corrected"))
            .filter(labels -> increase(labels, view) >= policy.threshold(MANY))
            .map(labels -> words(labels, increase(labels, view)))
            .sorted()
            .toList();
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(
            policy.detection(Subject.NODE, RuleText.list(words), HostMetrics.MEMORY_ERRORS));
  }

  private static double increase(List<String> labels, NodeSnapshot view) {
    return view.trends()
        .increase(EdacSource.MEMORY, HostMetrics.MEMORY_ERRORS, labels, Trends.LONGEST)
        .orElse(0);
  }

  private static String words(List<String> labels, double errors) {
    String device = (labels.get(0) + " " + labels.get(1)).strip();
    return RuleText.count(errors, "corrected memory error") + " of " + device + " in 10 min";
  }
}
