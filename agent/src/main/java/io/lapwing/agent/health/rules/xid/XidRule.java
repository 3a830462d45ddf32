package io.lapwing.agent.health.rules.xid;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * XIDs by the policy's rows: one finding per number and GPU, with consequential XIDs in their root
 * cause's. It ends when its action was done and escalates if the XID recurs. {@link Repeats} finds
 * hardware faults in application XIDs.
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

  public interface Details {
    XidDetail read(int number, String message, Optional<String> driverVersion);
  }

  /** Ampere, Turing, Volta, Pascal: {@code NVIDIA A100-SXM4-40GB}, {@code Tesla V100-SXM2}. */
  private static final Pattern BEFORE_HOPPER = Pattern.compile("\\b[AVTP]\\d{1,4}\\b");

  private final IntFunction<Disposition> policy;
  private final Words words;
  private final Details details;

  public XidRule(IntFunction<Disposition> policy, Words words, Details details) {
    this.policy = policy;
    this.words = words;
    this.details = details;
  }

  public static RuleSpec specification() {
    return RuleSpec.named(NAME)
        .about("XIDs of the kernel log and of NVML, by the XID table.")
        .why("By the XID table.")
        .document("NVIDIA XID catalogue")
        .disposition(Disposition.info())
        .threshold(BURST, 180, 1, 3_600, "seconds")
        .meaning("XIDs of one GPU that are closer together than this have one root cause.")
        .threshold(ESCALATION, 7, 0, 90, "days")
        .meaning(
            "The same XID within this time after the reset or reboot that it demanded escalates.")
        .threshold(QUIET_INFO, 1, 0.01, 720, "hours")
        .meaning("How long an XID that does not concern the GPU's health is shown.")
        .threshold(QUIET_WATCH, 24, 0.01, 2_160, "hours")
        .meaning(
            "An XID that demands no reset, reboot or replacement is closed after this long without another.")
        .threshold(REPEAT, 24, 0.01, 720, "hours")
        .meaning(
            "An error that an application or chance explains once is a hardware fault if it repeats within this time.")
        .threshold(PROCESSES, 2, 2, 1_000, "processes")
        .meaning(
            "This many processes with XID 13 at the same GPC and TPC of one GPU, or with XID 31 on one GPU, rule out an application fault (xid_13_repeated, xid_31_repeated); if several GPUs have the same, or one program has it on several MIG instances, the program is at fault.")
        .threshold(LINK_ERRORS, 3, 1, 1_000, "errors")
        .meaning(
            "This many XIDs 74 of parity, ECC or a marginal signal on the same link have the meaning of the row of XID 74.")
        .build();
  }

  /** The meaning of one XID by itself. */
  public static Disposition meaning(IntFunction<Disposition> policy, int number, XidDetail detail) {
    return new XidMeaning(policy).of(number, detail);
  }

  @Override
  public RuleSpec spec() {
    return specification();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy thresholds) {
    List<Detection> detections = new ArrayList<>();
    Times times = Times.of(thresholds);
    Peers peers = new Peers(view, times.burst(), xid -> isSecondary(detail(xid, view)));
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
      xids.open()
          .forEach((number, incident) -> detections.add(detection(gpu, number, incident, view)));
    }
    detections.addAll(repeats(view, times));
    return detections;
  }

  /** An error that several GPUs share is caused by the program that runs on all of them. */
  private List<Detection> repeats(NodeSnapshot view, Times times) {
    Map<String, List<Repeat>> all = new LinkedHashMap<>();
    for (String gpu : gpus(view)) {
      Repeats repeats = new Repeats(gpu, xid -> detail(xid, view), times, view.now());
      all.put(gpu, repeats.in(view.history().events()));
    }
    List<Detection> detections = new ArrayList<>();
    all.forEach(
        (gpu, repeats) ->
            repeats.stream()
                .filter(repeat -> !isElsewhere(repeat, gpu, all))
                .collect(groupingBy(Repeat::number, TreeMap::new, toList()))
                .values()
                .forEach(places -> detections.add(Repeat.detection(gpu, places, words))));
    return detections;
  }

  private static boolean isElsewhere(Repeat repeat, String gpu, Map<String, List<Repeat>> all) {
    return all.entrySet().stream()
        .anyMatch(
            one ->
                one.getKey().equals(gpu)
                    ? repeat.isOfOneProgram(one.getValue())
                    : one.getValue().stream().anyMatch(repeat::isLike));
  }

  /** Time windows, and the processes or link errors that make a hardware fault. */
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

  /** The GPUs that had any, by UUID, or by PCI address if the UUID is unknown. */
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

  static boolean isSecondary(XidDetail detail) {
    return detail instanceof XidDetail.NvlinkRegisters link
        && link.judgement() == XidDetail.RegisterJudgement.SECONDARY;
  }

  private XidDetail detail(Event.Xid xid, NodeSnapshot view) {
    XidDetail detail = details.read(xid.number(), xid.message(), driver(view));
    return detail instanceof XidDetail.NvlinkRegisters && isBeforeHopper(model(xid, view))
        ? XidDetail.NONE
        : detail;
  }

  /** NVML's name of the GPU, or that of the instance type; empty where both are unknown. */
  private static String model(Event.Xid xid, NodeSnapshot view) {
    return view.gpu(xid.gpu())
        .map(GpuStatus::model)
        .filter(model -> !model.isEmpty())
        .or(() -> view.node().expected().map(NodeFacts.ExpectedHardware::gpuModel))
        .orElse("");
  }

  /** The catalogue documents the registers of XID 74 for Hopper and later only. */
  private static boolean isBeforeHopper(String model) {
    return BEFORE_HOPPER.matcher(model).find();
  }

  private static Optional<String> driver(NodeSnapshot view) {
    return view.driver() instanceof DriverStatus.Up up
        ? Optional.of(up.version())
        : view.history()
            .last(Event.DriverLoaded.class, loaded -> true)
            .map(Event.DriverLoaded::version);
  }

  private Detection detection(String gpu, int number, Incident incident, NodeSnapshot view) {
    XidDetail detail = incident.example().map(xid -> detail(xid, view)).orElse(XidDetail.NONE);
    XidText text = new XidText(words, number, incident, detail);
    return new Detection(
            "xid_" + number,
            new Subject.Gpu(gpu),
            incident.disposition(),
            text.what(),
            text.why(),
            words.document(number),
            Optional.of(incident.first()),
            Optional.of(incident.last()),
            incident.times(),
            text.sources())
        .of(incident.instance());
  }

  static boolean lasting(Disposition disposition) {
    return disposition.action().covers(Action.RESET_GPU);
  }

  public interface Words {

    /** {@code GPU has fallen off the bus}. */
    String name(int number);

    String why(int number);

    String document(int number);
  }
}
