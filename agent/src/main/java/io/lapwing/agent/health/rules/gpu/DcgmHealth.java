package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.HostEngineMetrics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What DCGM's health watches report of a GPU, and of the node's IMEX; it requires no repair, and
 * other rules take precedence.
 */
public final class DcgmHealth implements HealthRule {

  public static final String NAME = "dcgm_health";

  private static final String PREFIX = NAME + "_";
  private static final String NONE = "none";

  /** The watch of the node's service; each GPU has its result. */
  private static final String IMEX = "IMEX";

  private static final String WARNING =
      "DCGM calls it a warning: work may go on, and nothing has to be done yet.";
  private static final String OF_EVENT =
      "The agent judges XIDs itself, by NVML and the kernel log. DCGM keeps them until its host engine is restarted, also after a repair.";

  /** Codes of XIDs, and of what DCGM concludes from them. */
  private static final Set<String> EVENTS =
      Set.of(
          "DCGM_FR_XID_ERROR",
          "DCGM_FR_SXID_ERROR",
          "DCGM_FR_UNCONTAINED_ERROR",
          "DCGM_FR_CONTAINED_ERROR",
          "DCGM_FR_FALLEN_OFF_BUS");

  private static final String ELSEWHERE =
      "Another finding has the same cause, and the action; this is what DCGM says of it.";

  /** Findings of NVML and the kernel log about the same part, by the end of the name of ours. */
  private static final Map<String, Set<String>> SAME_CAUSE =
      Map.of(
          "pcie", Set.of("pcie_link"),
          "nvlink", Set.of("nvlink_down", "nvlink_errors", "fabric_state", "fabric_health"),
          "mem",
              Set.of(
                  "uncorrectable_ecc",
                  "row_remap_failure",
                  "memory_unrepairable",
                  "row_remap_pending",
                  "row_remap_growth",
                  "remap_banks",
                  "sram_threshold",
                  "sbe_acceleration"),
          "inforom", Set.of("inforom_corrupt"),
          "thermal", Set.of("thermal_slowdown", "hw_slowdown"),
          "power", Set.of("power_brake", "hw_slowdown"),
          "imex", Set.of("fabric_state", "fabric_health"),
          "all", Set.of("uncorrectable_ecc", "nvlink_down"));

  /** DCGM judges these by their own values, the others by XIDs and the recovery action too. */
  private static final Set<String> NOT_OF_XIDS =
      Set.of("pcie", "inforom", "thermal", "power", "imex");

  private static final Set<String> OF_THE_WHOLE_GPU =
      Set.of("recovery_action", "gpu_lost", "gpu_hung");

  @Override
  public RuleSpec spec() {
    return RuleSpec.named(NAME)
        .findings(DcgmMetrics.HEALTH_WATCHES.stream().map(DcgmHealth::name).toList())
        .about("A health watch of DCGM's host engine failed or warns; one finding for each part.")
        .why(
            "DCGM reports a fault that no other rule has a finding for; its code says which, and the log of the host engine has the message.")
        .document("NVIDIA DCGM User Guide, health monitoring; dcgm_errors.h")
        .disposition(Disposition.WATCH)
        .form(
            "for a warning or an XID, or beside a finding with the same cause", Disposition.info())
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofMinutes(3))
        .reads(DcgmMetrics.EXP_GPU_HEALTH_STATUS, HostEngineMetrics.HEALTH_INFO)
        .build();
  }

  private static String name(String watch) {
    return PREFIX + watch.toLowerCase(Locale.ROOT);
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Map<String, Detection> found = new LinkedHashMap<>();
    for (GpuStatus gpu : GpuRule.answering(view)) {
      gpu.values()
          .all(DcgmMetrics.EXP_GPU_HEALTH_STATUS)
          .forEach(
              (labels, result) -> {
                if (result > 0) {
                  String watch = labels.get(1);
                  Subject of = watch.equals(IMEX) ? Subject.NODE : gpu.subject();
                  found.putIfAbsent(
                      of.text() + " " + watch, detection(of, watch, labels.get(0), result, policy));
                }
              });
    }
    return List.copyOf(found.values());
  }

  private static Detection detection(
      Subject subject, String watch, String code, double result, RulePolicy policy) {
    boolean failed = result > DcgmMetrics.HEALTH_WARNING;
    Detection detection =
        policy
            .detection(
                subject,
                "DCGM's health watch " + watch + (failed ? " failed: " : " warns: ") + code,
                DcgmMetrics.EXP_GPU_HEALTH_STATUS)
            .named(name(watch));
    if (EVENTS.contains(code)) {
      return detection.withForm(Disposition.info(), OF_EVENT);
    }
    return failed ? detection : detection.withForm(Disposition.info(), WARNING);
  }

  /** While DCGM is used and does not answer, its findings stay; without DCGM they end. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return HealthRule.super.canEvaluate(subject, view)
        && GpuRule.answering(view).stream()
            .filter(gpu -> subject.equals(Subject.NODE) || gpu.subject().equals(subject))
            .anyMatch(gpu -> absence(gpu.values()).isEmpty());
  }

  /** Why DCGM has no results of a GPU; empty where it has, or is not used. */
  public static Optional<String> absence(Values values) {
    return values.all(HostEngineMetrics.HEALTH_INFO).keySet().stream()
        .filter(source -> source.size() == 2 && source.get(0).equals(NONE))
        .map(source -> source.get(1))
        .findFirst();
  }

  /**
   * The detections, those of DCGM as information where another rule has a finding with the same
   * cause, so that one fault does not count twice; for one of the node those of all parts count. An
   * open finding counts too: DCGM checks once a minute, and reports longer.
   */
  public static List<Detection> quieted(List<Detection> detections, List<Finding> open) {
    if (detections.stream().noneMatch(one -> one.rule().startsWith(PREFIX))) {
      return detections;
    }
    Map<Subject, Set<String>> others = new HashMap<>();
    Stream.concat(detections.stream(), open.stream().map(Finding::detection))
        .filter(one -> one.disposition().severity() != Severity.INFO)
        .filter(one -> !one.rule().startsWith(PREFIX))
        .forEach(
            one -> {
              others.computeIfAbsent(one.subject(), unseen -> new HashSet<>()).add(one.rule());
              others.computeIfAbsent(Subject.NODE, unseen -> new HashSet<>()).add(one.rule());
            });
    return detections.stream()
        .map(
            one ->
                one.rule().startsWith(PREFIX)
                        && hasSameCause(one, others.getOrDefault(one.subject(), Set.of()))
                    ? one.withForm(Disposition.info(), ELSEWHERE)
                    : one)
        .toList();
  }

  private static boolean hasSameCause(Detection one, Set<String> others) {
    String part = one.rule().substring(PREFIX.length());
    Set<String> same = SAME_CAUSE.getOrDefault(part, Set.of());
    boolean ofXids = !NOT_OF_XIDS.contains(part);
    return others.stream()
        .anyMatch(
            rule ->
                same.contains(rule)
                    || (ofXids && (rule.startsWith("xid_") || OF_THE_WHOLE_GPU.contains(rule))));
  }
}
