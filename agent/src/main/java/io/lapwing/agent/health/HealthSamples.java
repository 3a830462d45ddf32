package io.lapwing.agent.health;

import io.lapwing.host.HostFaultKind;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The samples of a health report and of its logs; see {@code docs/metrics.md}. Used by one thread.
 */
public final class HealthSamples {

  /** Bounds the findings that have a series. */
  static final int MAX_FINDINGS = 200;

  /** Bounds the cached labels of past findings. */
  private static final int MAX_LABELS = 4096;

  private static final double MILLIS = 1000;

  /** The rules of XIDs, also of repeated ones; the number is one of the table or a policy file. */
  private static final Pattern XID_RULE = Pattern.compile("xid_([0-9]{1,9})(?:_[a-z]+)*");

  private static final XidTable XIDS = XidTable.load();

  /** The renderer expects a stable order. */
  private static final Comparator<SwitchErrors> ORDER =
      Comparator.comparing(SwitchErrors::device)
          .thenComparing(SwitchErrors::number)
          .thenComparing(SwitchErrors::fatal);

  private final SampleBuffer buffer = new SampleBuffer();
  private final Map<List<String>, Labels> labels = new HashMap<>();

  private record Shown(
      String rule,
      String subject,
      String gpu,
      String action,
      String severity,
      boolean confirmed,
      boolean test,
      OptionalInt instance) {

    /** Those that most findings do not have. */
    String[] more() {
      List<String> more = new ArrayList<>();
      if (test || !confirmed) {
        more.addAll(test ? List.of("test", "1") : List.of("confirmed", "0"));
      }
      Matcher xid = XID_RULE.matcher(rule);
      if (xid.matches()) {
        XidInfo info = XIDS.get(Integer.parseInt(xid.group(1)));
        more.addAll(List.of("xid_name", info.name()));
      }
      instance.ifPresent(id -> more.addAll(List.of("GPU_I_ID", String.valueOf(id))));
      return more.toArray(String[]::new);
    }
  }

  public Samples samples(
      HealthReport report, EventLogStatus events, KernelLogCounts kernel, KernelFaults faults) {
    if (labels.size() > MAX_LABELS) {
      labels.clear();
    }
    node(report);
    report.gpus().forEach(this::gpu);
    hardware(report);
    findings(report);
    buffer.add(HealthMetrics.TRENDS_LEFT_OUT, Labels.NONE, report.trendsLeftOut());
    maintenance(report.operations().maintenance());
    time(HealthMetrics.EVALUATION, Labels.NONE, report.at());
    events(events);
    kernelLog(kernel);
    faults.switches().stream().sorted(ORDER).forEach(this::faults);
    faults.host().forEach(this::hostFaults);
    for (Slowness.Total total : report.slowness().totals()) {
      buffer.add(HealthMetrics.TRAINING_LOST, total.labels(), total.seconds());
    }
    return buffer.take();
  }

  private void node(HealthReport report) {
    for (Verdict verdict : Verdict.values()) {
      buffer.add(
          HealthMetrics.NODE_VERDICT,
          labels("verdict", verdict.text()),
          one(report.verdict() == verdict));
    }
    time(HealthMetrics.NODE_VERDICT_SINCE, Labels.NONE, report.since());
    for (Action action : Action.values()) {
      buffer.add(
          HealthMetrics.NODE_ACTION,
          labels("action", action.text()),
          one(report.action() == action));
    }
    if (report.action() != Action.NONE) {
      report.urgency().ifPresent(this::urgency);
    }
  }

  /** One series, only with an action: healthy nodes have none. */
  private void urgency(Urgency urgency) {
    buffer.add(HealthMetrics.NODE_ACTION_URGENCY, labels("urgency", urgency.text()), 1);
  }

  private void gpu(HealthReport.GpuVerdict gpu) {
    for (Verdict verdict : Verdict.values()) {
      buffer.add(
          HealthMetrics.GPU_VERDICT,
          labels("gpu", String.valueOf(gpu.index()), "UUID", gpu.uuid(), "verdict", verdict.text()),
          one(gpu.verdict() == verdict));
    }
  }

  /** Zero, too: no episode is known, which is no missing data. */
  private void hardware(HealthReport report) {
    Map<String, HardwareHistory.Tally> had = new HashMap<>();
    report.hardware().forEach(tally -> had.put(tally.subject(), tally));
    for (HealthReport.GpuVerdict gpu : report.gpus()) {
      Labels own = labels("gpu", String.valueOf(gpu.index()), "UUID", gpu.uuid());
      HardwareHistory.Tally tally = had.get(new Subject.Gpu(gpu.uuid()).text());
      buffer.add(HealthMetrics.GPU_HARDWARE_EPISODES, own, tally == null ? 0 : tally.count());
      buffer.add(HealthMetrics.GPU_HARDWARE_SCORE, own, tally == null ? 0 : tally.score());
    }
    HardwareHistory.Tally node = had.get(Subject.NODE.text());
    buffer.add(HealthMetrics.NODE_HARDWARE_EPISODES, Labels.NONE, node == null ? 0 : node.count());
    buffer.add(HealthMetrics.NODE_HARDWARE_SCORE, Labels.NONE, node == null ? 0 : node.score());
  }

  /** Findings with the same labels are one series, with the earliest start. */
  private void findings(HealthReport report) {
    Map<Shown, Instant> shown = new LinkedHashMap<>();
    int leftOut = 0;
    for (Finding finding : report.findings()) {
      Shown one = shown(report, finding, false);
      if (shown.size() < MAX_FINDINGS || shown.containsKey(one)) {
        shown.merge(one, finding.since(), (a, b) -> a.isBefore(b) ? a : b);
      } else {
        leftOut++;
      }
    }
    for (Operations.Test test : report.operations().tests()) {
      shown.put(shown(report, test.finding(), true), test.finding().since());
    }
    shown.forEach(this::finding);
    buffer.add(HealthMetrics.FINDINGS_LEFT_OUT, Labels.NONE, leftOut);
  }

  private void maintenance(Optional<Operations.Maintenance> active) {
    buffer.add(HealthMetrics.MAINTENANCE, Labels.NONE, one(active.isPresent()));
    active.ifPresent(one -> time(HealthMetrics.MAINTENANCE_END, Labels.NONE, one.until()));
  }

  private static Shown shown(HealthReport report, Finding finding, boolean test) {
    OptionalInt index = report.index(finding.subject());
    return new Shown(
        finding.rule(),
        finding.subject().text(),
        index.isPresent() ? String.valueOf(index.getAsInt()) : "",
        finding.disposition().action().text(),
        finding.disposition().severity().text(),
        finding.detection().confirmed(),
        test,
        finding.detection().instance());
  }

  private void finding(Shown shown, Instant since) {
    Labels own = labels(shown, shown.more());
    buffer.add(HealthMetrics.FINDING, own, 1);
    time(HealthMetrics.FINDING_SINCE, own, since);
  }

  private Labels labels(Shown shown, String... more) {
    return labels(
        Stream.concat(
                Stream.of(
                    "rule", shown.rule(),
                    "subject", shown.subject(),
                    "gpu", shown.gpu(),
                    "action", shown.action(),
                    "severity", shown.severity()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private void events(EventLogStatus state) {
    buffer.add(HealthMetrics.EVENT_LOG_DURABLE, Labels.NONE, one(state.durable()));
    state
        .events()
        .forEach(
            (kind, count) ->
                buffer.add(HealthMetrics.EVENTS, labels("kind", kind), (double) count));
    buffer.add(HealthMetrics.EVENT_LOG_DROPPED, Labels.NONE, (double) state.dropped());
  }

  private void kernelLog(KernelLogCounts state) {
    buffer.add(HealthMetrics.KERNEL_LOG_READABLE, Labels.NONE, one(state.readable()));
    buffer.add(HealthMetrics.KERNEL_LOG_LOST, Labels.NONE, (double) state.lost());
    buffer.add(HealthMetrics.KERNEL_LOG_MESSAGES, Labels.NONE, (double) state.messages());
  }

  private void faults(SwitchErrors errors) {
    Labels own =
        labels(
            "device", errors.device(),
            "sxid", String.valueOf(errors.number()),
            "fatal", String.valueOf(errors.fatal()));
    buffer.add(HealthMetrics.NVSWITCH_SXID_ERRORS, own, (double) errors.times());
    time(HealthMetrics.NVSWITCH_SXID_LAST_SEEN, own, errors.last());
  }

  private void hostFaults(HostFaultKind kind, long times) {
    buffer.add(HealthMetrics.HOST_FAULTS, labels("fault", kind.text()), (double) times);
  }

  private void time(Metric metric, Labels own, Instant at) {
    buffer.add(metric, own, at.toEpochMilli() / MILLIS);
  }

  private static double one(boolean so) {
    return so ? 1 : 0;
  }

  int keptLabels() {
    return labels.size();
  }

  /** Cached, so that a series keeps its labels object. */
  private Labels labels(String... namesAndValues) {
    return labels.computeIfAbsent(List.of(namesAndValues), unseen -> Labels.of(namesAndValues));
  }

  /** Faults in the kernel log since boot, of NVSwitches and, by kind, of the host. */
  public record KernelFaults(List<SwitchErrors> switches, Map<HostFaultKind, Long> host) {

    public KernelFaults {
      switches = List.copyOf(switches);
      host = Collections.unmodifiableMap(new LinkedHashMap<>(host));
    }
  }

  /**
   * Errors of one kind of one NVSwitch.
   *
   * @param device {@code nvidia-nvswitch0}
   * @param number of the SXid
   * @param times since boot
   * @param last time of the last one
   */
  public record SwitchErrors(String device, int number, boolean fatal, long times, Instant last) {}

  /**
   * Messages of interest read since the agent started; {@code lost} ones of any kind were
   * overwritten by the kernel.
   */
  public record KernelLogCounts(boolean readable, long messages, long lost) {}

  /** Events since the agent started, by kind; {@code dropped} ones were not written. */
  public record EventLogStatus(boolean durable, SortedMap<String, Long> events, long dropped) {

    public EventLogStatus {
      events = Collections.unmodifiableSortedMap(new TreeMap<>(events));
    }

    public static EventLogStatus of(boolean durable, Map<String, Long> events, long dropped) {
      return new EventLogStatus(durable, new TreeMap<>(events), dropped);
    }
  }
}
