package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Threshold;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * XIDs, by the policy's row for each number. One finding for each number on each GPU; what only
 * follows from another fault is told with it. A finding goes when what it asks for was done, and
 * asks for more when the same XID comes back after that. What blames the application is a finding
 * of its own where one process after the other has it ({@link Repeats}).
 */
public final class XidRule implements HealthRule {

  public static final String NAME = "xid";

  private static final String BURST = "burst_seconds";
  private static final String ESCALATION = "escalation_days";
  private static final String QUIET_INFO = "info_hours";
  private static final String QUIET_WATCH = "watch_hours";
  private static final String REPEAT = "repeat_hours";
  private static final String PROCESSES = "repeat_processes";
  private static final String LINK_ERRORS = "repeat_link_errors";

  private static final RuleSpec SPEC =
      new RuleSpec(
          NAME,
          "XIDs of the kernel log and of NVML, by the table of XIDs.",
          "The table of XIDs says so.",
          "NVIDIA XID catalogue",
          Disposition.info(),
          Disposition.info(),
          Duration.ZERO,
          Duration.ZERO,
          List.of(
              new Threshold(
                  BURST,
                  180,
                  1,
                  3_600,
                  "seconds",
                  "XIDs of one GPU that are closer together than this have one cause."),
              new Threshold(
                  ESCALATION,
                  7,
                  0,
                  90,
                  "days",
                  "The same XID so soon after the reset or the reboot that it asked for asks for more."),
              new Threshold(
                  QUIET_INFO,
                  1,
                  0.01,
                  720,
                  "hours",
                  "An XID that says nothing about the GPU's health is shown for so long."),
              new Threshold(
                  QUIET_WATCH,
                  24,
                  0.01,
                  2_160,
                  "hours",
                  "An XID that asks for no reset, reboot or replacement is over after so long a silence."),
              new Threshold(
                  REPEAT,
                  24,
                  0.01,
                  720,
                  "hours",
                  "What an application or chance explains once is the hardware's when it repeats within so long."),
              new Threshold(
                  PROCESSES,
                  2,
                  2,
                  1_000,
                  "processes",
                  "So many processes with XID 13 at the same GPC and TPC of one GPU, or with XID 31 on one GPU, are no application's fault (xid_13_repeated, xid_31_repeated); where several GPUs have the same, the program is."),
              new Threshold(
                  LINK_ERRORS,
                  3,
                  1,
                  1_000,
                  "errors",
                  "So many XIDs 74 of parity, ECC or a marginal signal on the same link mean what the row of XID 74 says.")));

  /** Reads what a message says beyond the number. */
  public interface Details {
    XidDetail read(int number, String message, Optional<String> driverVersion);
  }

  private final IntFunction<Disposition> policy;
  private final XidWords words;
  private final Details details;

  /**
   * The rule under a policy.
   *
   * @param policy what each number means
   */
  public XidRule(IntFunction<Disposition> policy, XidWords words, Details details) {
    this.policy = policy;
    this.words = words;
    this.details = details;
  }

  public static RuleSpec specification() {
    return SPEC;
  }

  /** What one XID means, taken for itself. */
  public static Disposition meaning(IntFunction<Disposition> policy, int number, XidDetail detail) {
    return new XidMeaning(policy).of(number, detail);
  }

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Detection> judge(NodeSnapshot view, RulePolicy thresholds) {
    List<Detection> symptoms = new ArrayList<>();
    Times times = Times.of(thresholds);
    Peers peers = new Peers(view.history(), times.burst());
    for (String gpu : gpus(view)) {
      GpuXids xids =
          new GpuXids(
              gpu,
              new XidMeaning(policy),
              xid -> detail(xid, view),
              peers,
              times,
              view.now(),
              view.history().events());
      xids.open().forEach((number, episode) -> symptoms.add(symptom(gpu, number, episode)));
    }
    symptoms.addAll(repeats(view, times));
    return symptoms;
  }

  /** What several GPUs have alike is the program's that runs on all of them. */
  private List<Detection> repeats(NodeSnapshot view, Times times) {
    Map<String, List<Repeat>> all = new LinkedHashMap<>();
    for (String gpu : gpus(view)) {
      Repeats repeats = new Repeats(gpu, xid -> detail(xid, view), times, view.now());
      all.put(gpu, repeats.in(view.history().events()));
    }
    List<Detection> symptoms = new ArrayList<>();
    all.forEach(
        (gpu, repeats) ->
            repeats.stream()
                .filter(repeat -> all.values().stream().filter(has(repeat)).count() == 1)
                .forEach(repeat -> symptoms.add(RepeatText.symptom(gpu, repeat, words))));
    return symptoms;
  }

  private static Predicate<List<Repeat>> has(Repeat repeat) {
    return others -> others.stream().anyMatch(repeat::isLike);
  }

  /**
   * How long things count, and how many of them.
   *
   * @param repeat within which what repeats counts together
   * @param processes that make a repeated fault of applications one of the hardware
   * @param linkErrors that make errors of one link its fault
   */
  record Times(
      Duration burst,
      Duration escalation,
      Duration quietInfo,
      Duration quietWatch,
      Duration repeat,
      long processes,
      long linkErrors) {

    static Times of(RulePolicy thresholds) {
      return new Times(
          Duration.ofSeconds((long) thresholds.threshold(BURST)),
          Duration.ofMinutes((long) (thresholds.threshold(ESCALATION) * 24 * 60)),
          Duration.ofSeconds((long) (thresholds.threshold(QUIET_INFO) * 3_600)),
          Duration.ofSeconds((long) (thresholds.threshold(QUIET_WATCH) * 3_600)),
          Duration.ofSeconds((long) (thresholds.threshold(REPEAT) * 3_600)),
          (long) thresholds.threshold(PROCESSES),
          (long) thresholds.threshold(LINK_ERRORS));
    }
  }

  /** Those that had any, by UUID, or by PCI address where no UUID is known. */
  private static Set<String> gpus(NodeSnapshot view) {
    Set<String> gpus = new LinkedHashSet<>();
    view.history().events().stream()
        .filter(Event.Xid.class::isInstance)
        .forEach(event -> gpus.add(name((Event.Xid) event)));
    return gpus;
  }

  static String name(Event.Xid xid) {
    return xid.gpu().isEmpty() ? xid.pci() : xid.gpu();
  }

  private XidDetail detail(Event.Xid xid, NodeSnapshot view) {
    return details.read(xid.number(), xid.message(), driver(view));
  }

  private static Optional<String> driver(NodeSnapshot view) {
    return view.driver() instanceof DriverStatus.Up up
        ? Optional.of(up.version())
        : view.history()
            .last(Event.DriverLoaded.class, loaded -> true)
            .map(Event.DriverLoaded::version);
  }

  private Detection symptom(String gpu, int number, Incident episode) {
    XidText text = new XidText(words, number, episode);
    return new Detection(
        "xid_" + number,
        new Subject.Gpu(gpu),
        episode.call(),
        text.what(),
        text.why(),
        words.document(number),
        Optional.of(episode.first()),
        Optional.of(episode.last()),
        episode.times(),
        text.sources());
  }

  static boolean lasting(Disposition call) {
    return call.action().covers(Action.RESET_GPU);
  }
}
