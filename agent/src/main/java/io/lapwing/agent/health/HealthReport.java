package io.lapwing.agent.health;

import io.lapwing.node.Platform;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The result of one evaluation.
 *
 * @param at when the node was evaluated
 * @param since when the verdict on the node last changed
 * @param summary one sentence: the worst finding, or why it is healthy
 * @param gpus each GPU with its own verdict, by index
 * @param findings worst first
 * @param unevaluated rules without data, each with what is missing
 * @param slowness step time that training lost, by cause
 * @param operations the active operations of operators; no part of the verdict
 * @param hardware the episodes of hardware faults of the node and of its GPUs that had any
 * @param trendsLeftOut counters whose increase is not followed, because of a limit
 * @param stopCosts the work that each training job here would lose if it was stopped now
 * @param node which node it is
 */
public record HealthReport(
    Instant at,
    Verdict verdict,
    Action action,
    Optional<Urgency> urgency,
    Instant since,
    String summary,
    List<GpuVerdict> gpus,
    List<Finding> findings,
    Map<String, String> unevaluated,
    Slowness slowness,
    Operations operations,
    String profile,
    boolean simulated,
    List<HardwareHistory.Tally> hardware,
    int trendsLeftOut,
    List<StopCost> stopCosts,
    NodeName node) {

  /** The reason why a rule has not been evaluated in the first minute. */
  public static final String NO_DATA_YET = "no data yet";

  public HealthReport {
    gpus = List.copyOf(gpus);
    findings = List.copyOf(findings);
    unevaluated = Map.copyOf(unevaluated);
    hardware = List.copyOf(hardware);
    stopCosts = List.copyOf(stopCosts);
  }

  /**
   * Of an unnamed node, with every counter followed, and without training jobs that report
   * checkpoints.
   */
  public HealthReport(
      Instant at,
      Verdict verdict,
      Action action,
      Optional<Urgency> urgency,
      Instant since,
      String summary,
      List<GpuVerdict> gpus,
      List<Finding> findings,
      Map<String, String> unevaluated,
      Slowness slowness,
      Operations operations,
      String profile,
      boolean simulated,
      List<HardwareHistory.Tally> hardware) {
    this(
        at,
        verdict,
        action,
        urgency,
        since,
        summary,
        gpus,
        findings,
        unevaluated,
        slowness,
        operations,
        profile,
        simulated,
        hardware,
        0,
        List.of(),
        NodeName.UNKNOWN);
  }

  /** Without a history of hardware faults. */
  public HealthReport(
      Instant at,
      Verdict verdict,
      Action action,
      Optional<Urgency> urgency,
      Instant since,
      String summary,
      List<GpuVerdict> gpus,
      List<Finding> findings,
      Map<String, String> unevaluated,
      Slowness slowness,
      Operations operations,
      String profile,
      boolean simulated) {
    this(
        at,
        verdict,
        action,
        urgency,
        since,
        summary,
        gpus,
        findings,
        unevaluated,
        slowness,
        operations,
        profile,
        simulated,
        List.of());
  }

  /** Before the first evaluation: the node is unknown, and why. */
  public static HealthReport notEvaluated(
      Instant at, String why, String profile, boolean simulated) {
    return new HealthReport(
        at,
        Verdict.UNKNOWN,
        Action.NONE,
        Optional.empty(),
        at,
        why,
        List.of(),
        List.of(),
        Map.of(),
        Slowness.NONE,
        Operations.NONE,
        profile,
        simulated);
  }

  /** As this one, but outdated: findings stay, and verdicts better than unknown become unknown. */
  public HealthReport stale(String why) {
    return new HealthReport(
        at,
        worse(verdict),
        action,
        urgency,
        since,
        verdict == Verdict.FAILING ? summary : why,
        gpus.stream().map(GpuVerdict::stale).toList(),
        findings,
        Map.of("all", why),
        slowness,
        operations,
        profile,
        simulated,
        hardware,
        trendsLeftOut,
        stopCosts,
        node);
  }

  private static Verdict worse(Verdict verdict) {
    return verdict.compareTo(Verdict.UNKNOWN) < 0 ? Verdict.UNKNOWN : verdict;
  }

  /** A subject for texts: {@code node}, {@code GPU 3}, {@code nvidia-nvswitch0}. */
  public String name(Subject subject) {
    if (subject instanceof Subject.Gpu gpu) {
      OptionalInt index = index(subject);
      return "GPU " + (index.isPresent() ? String.valueOf(index.getAsInt()) : gpu.uuid());
    }
    if (subject instanceof Subject.Part part) {
      return part.words();
    }
    return subject instanceof Subject.NvSwitch nvSwitch ? nvSwitch.device() : subject.text();
  }

  /** The index of a subject that is a GPU; empty for other subjects and unknown GPUs. */
  public OptionalInt index(Subject subject) {
    if (!(subject instanceof Subject.Gpu gpu)) {
      return OptionalInt.empty();
    }
    return gpus.stream()
        .filter(one -> one.uuid().equals(gpu.uuid()) || one.pci().equals(gpu.uuid()))
        .mapToInt(GpuVerdict::index)
        .findFirst();
  }

  /** Whether rules have no data only because the agent has just started. */
  public boolean isFirstMinute() {
    return !unevaluated.isEmpty() && unevaluated.values().stream().allMatch(NO_DATA_YET::equals);
  }

  /**
   * The node, for commands; texts are empty while unknown.
   *
   * @param platform empty if it is not recognized
   * @param platformSource what shows the platform, or what is missing
   * @param bootId of the kernel; another one after a reboot
   */
  public record NodeName(
      String hostname,
      String instanceId,
      Optional<Platform> platform,
      String platformSource,
      String bootId) {

    public static final NodeName UNKNOWN =
        new NodeName("", "", Optional.empty(), "not detected", "");
  }

  public record GpuVerdict(
      String uuid, int index, String pci, Verdict verdict, Action action, Instant since) {

    GpuVerdict stale() {
      return new GpuVerdict(uuid, index, pci, worse(verdict), action, since);
    }
  }
}
