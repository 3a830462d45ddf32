package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is to be said of the node now.
 *
 * @param at when it was judged
 * @param since when the verdict on the node last changed
 * @param summary one sentence: the worst finding, or why it is healthy
 * @param gpus each GPU with its own verdict, by index
 * @param findings worst first
 * @param unwatched rules that cannot see what they need, each with what is missing
 * @param slowness what training loses time to
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
    Map<String, String> unwatched,
    Slowness slowness,
    String profile,
    boolean simulated) {

  public HealthReport {
    gpus = List.copyOf(gpus);
    findings = List.copyOf(findings);
    unwatched = Map.copyOf(unwatched);
  }

  /** One of a node that trains nothing. */
  public HealthReport(
      Instant at,
      Verdict verdict,
      Action action,
      Optional<Urgency> urgency,
      Instant since,
      String summary,
      List<GpuVerdict> gpus,
      List<Finding> findings,
      Map<String, String> unwatched,
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
        unwatched,
        Slowness.NONE,
        profile,
        simulated);
  }

  /** Where nothing was judged: the node is unknown, and this is why. */
  public static HealthReport unjudged(Instant at, String why, String profile, boolean simulated) {
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
        profile,
        simulated);
  }

  /**
   * The same where nobody judges any more: what was found stands, and what was well is unknown.
   *
   * @param why as one sentence
   */
  public HealthReport unseeing(String why) {
    return new HealthReport(
        at,
        worse(verdict),
        action,
        urgency,
        since,
        verdict == Verdict.FAILING ? summary : why,
        gpus.stream().map(GpuVerdict::unseeing).toList(),
        findings,
        Map.of("all", why),
        slowness,
        profile,
        simulated);
  }

  private static Verdict worse(Verdict verdict) {
    return verdict.compareTo(Verdict.UNKNOWN) < 0 ? Verdict.UNKNOWN : verdict;
  }

  /** What people call a subject: {@code node}, {@code GPU 3}, {@code nvidia-nvswitch0}. */
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

  /** The index of the GPU that this is about; none of what is no GPU, or one nobody ever saw. */
  public OptionalInt index(Subject subject) {
    if (!(subject instanceof Subject.Gpu gpu)) {
      return OptionalInt.empty();
    }
    return gpus.stream()
        .filter(one -> one.uuid().equals(gpu.uuid()) || one.pci().equals(gpu.uuid()))
        .mapToInt(GpuVerdict::index)
        .findFirst();
  }

  /** The verdict on one GPU. */
  public record GpuVerdict(
      String uuid, int index, String pci, Verdict verdict, Action action, Instant since) {

    GpuVerdict unseeing() {
      return new GpuVerdict(uuid, index, pci, worse(verdict), action, since);
    }
  }
}
