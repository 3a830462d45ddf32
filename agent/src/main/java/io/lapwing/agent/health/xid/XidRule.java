package io.lapwing.agent.health.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.DriverNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Threshold;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * XIDs, by the policy's row for each number. One finding for each number on each GPU; what only
 * follows from another fault is told with it. A finding goes when what it asks for was done, and
 * asks for more when the same XID comes back after that.
 */
public final class XidRule implements HealthRule {

  public static final String NAME = "xid";

  private static final String BURST = "burst_seconds";
  private static final String ESCALATION = "escalation_days";
  private static final String QUIET_INFO = "info_hours";
  private static final String QUIET_WATCH = "watch_hours";

  private static final RuleSpec SPEC =
      new RuleSpec(
          NAME,
          "XIDs of the kernel log and of NVML, by the table of XIDs.",
          "The table of XIDs says so.",
          "NVIDIA XID catalogue",
          Call.info(),
          Call.info(),
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
                  "An XID that asks for no reset, reboot or replacement is over after so long a silence.")));

  /** Reads what a message says beyond the number. */
  public interface Details {
    XidDetail read(int number, String message, Optional<String> driverVersion);
  }

  private final IntFunction<Call> policy;
  private final XidWords words;
  private final Details details;

  /**
   * The rule under a policy.
   *
   * @param policy what each number means
   */
  public XidRule(IntFunction<Call> policy, XidWords words, Details details) {
    this.policy = policy;
    this.words = words;
    this.details = details;
  }

  public static RuleSpec specification() {
    return SPEC;
  }

  /** What one XID means, taken for itself. */
  public static Call meaning(IntFunction<Call> policy, int number, XidDetail detail) {
    return new XidMeaning(policy).of(number, detail);
  }

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy thresholds) {
    List<Symptom> symptoms = new ArrayList<>();
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
    return symptoms;
  }

  /** How long things count. */
  record Times(Duration burst, Duration escalation, Duration quietInfo, Duration quietWatch) {

    static Times of(RulePolicy thresholds) {
      return new Times(
          Duration.ofSeconds((long) thresholds.threshold(BURST)),
          Duration.ofMinutes((long) (thresholds.threshold(ESCALATION) * 24 * 60)),
          Duration.ofSeconds((long) (thresholds.threshold(QUIET_INFO) * 3_600)),
          Duration.ofSeconds((long) (thresholds.threshold(QUIET_WATCH) * 3_600)));
    }
  }

  /** Those that had any, by UUID, or by PCI address where no UUID is known. */
  private static Set<String> gpus(NodeView view) {
    Set<String> gpus = new LinkedHashSet<>();
    view.history().events().stream()
        .filter(Event.Xid.class::isInstance)
        .forEach(event -> gpus.add(name((Event.Xid) event)));
    return gpus;
  }

  static String name(Event.Xid xid) {
    return xid.gpu().isEmpty() ? xid.pci() : xid.gpu();
  }

  private XidDetail detail(Event.Xid xid, NodeView view) {
    return details.read(xid.number(), xid.message(), driver(view));
  }

  private static Optional<String> driver(NodeView view) {
    return view.driver() instanceof DriverNow.Up up
        ? Optional.of(up.version())
        : view.history()
            .last(Event.DriverLoaded.class, loaded -> true)
            .map(Event.DriverLoaded::version);
  }

  private Symptom symptom(String gpu, int number, Episode episode) {
    XidText text = new XidText(words, number, episode);
    return new Symptom(
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

  static boolean lasting(Call call) {
    return call.action().covers(Action.RESET_GPU);
  }
}
