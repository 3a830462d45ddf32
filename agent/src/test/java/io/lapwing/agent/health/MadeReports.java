package io.lapwing.agent.health;

import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.metric.Labels;
import io.lapwing.node.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reports made by hand. */
public final class MadeReports {

  public static final Instant JUDGED = Instant.parse("2026-11-20T05:18:00Z");
  public static final Instant FELL = Instant.parse("2026-11-20T03:12:44Z");
  private static final Instant STARTED = Instant.parse("2026-11-18T00:00:00Z");

  private MadeReports() {}

  public static GpuVerdict gpu(int index, Verdict verdict, Action action, Instant since) {
    return new GpuVerdict(uuid(index), index, "0000:5" + index + ":00", verdict, action, since);
  }

  public static String uuid(int index) {
    return "GPU-0000000" + index + "-0000-0000-0000-000000000000";
  }

  /** A finding that came once. */
  public static Finding finding(String rule, Subject subject, Disposition call, String what) {
    return finding(rule, subject, call, what, FELL, JUDGED, 1);
  }

  public static Finding finding(
      String rule,
      Subject subject,
      Disposition call,
      String what,
      Instant since,
      Instant last,
      long n) {
    return new Finding(
        new Detection(
            rule,
            subject,
            call,
            what,
            "a GPU that has left the bus comes back by a power cycle at best, and such nodes lose it"
                + " again",
            "NVIDIA XID catalogue, 79",
            Optional.empty(),
            Optional.empty(),
            n,
            List.of("kernel log", "NVML event")),
        since,
        last);
  }

  /** Two GPUs without a fault. */
  public static HealthReport healthy() {
    return new HealthReport(
        JUDGED,
        Verdict.HEALTHY,
        Action.NONE,
        Optional.empty(),
        STARTED,
        "2 GPUs answer and nothing is wrong",
        List.of(
            gpu(0, Verdict.HEALTHY, Action.NONE, STARTED),
            gpu(1, Verdict.HEALTHY, Action.NONE, STARTED)),
        List.of(),
        Map.of(),
        Slowness.NONE,
        Operations.NONE,
        "aws",
        false);
  }

  /** GPU 3 has fallen off the bus, GPU 0 slows down, and there is something worth knowing. */
  public static HealthReport failing() {
    return new HealthReport(
        JUDGED,
        Verdict.FAILING,
        Action.REPLACE_NODE,
        Optional.of(Urgency.NOW),
        FELL,
        "GPU 3 has fallen off the bus",
        List.of(
            gpu(0, Verdict.DEGRADED, Action.WATCH, FELL),
            gpu(3, Verdict.FAILING, Action.REPLACE_NODE, FELL)),
        List.of(
            finding(
                "xid_79",
                new Subject.Gpu(uuid(3)),
                Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
                "GPU has fallen off the bus",
                FELL,
                Instant.parse("2026-11-20T05:01:02Z"),
                3),
            finding(
                "slow_clocks",
                new Subject.Gpu(uuid(0)),
                Disposition.degraded(Action.WATCH, Urgency.JOB_END),
                "clocks are held down to 1200 MHz of 1980 MHz for heat"),
            finding(
                "sxid_20009",
                new Subject.NvSwitch("nvidia-nvswitch0"),
                Disposition.info(),
                "a short error rate on link 28")),
        Map.of(
            "pcie_width",
            "sysfs shows no link of GPU 3",
            "ecc_trend",
            "the agent has run for 2 min"),
        Slowness.NONE,
        Operations.NONE,
        "aws",
        false);
  }

  /** The same on a node that does not exist. */
  public static HealthReport simulated() {
    HealthReport real = failing();
    return new HealthReport(
        real.at(),
        real.verdict(),
        real.action(),
        real.urgency(),
        real.since(),
        real.summary(),
        real.gpus(),
        real.findings(),
        real.unevaluated(),
        Slowness.NONE,
        Operations.NONE,
        real.profile(),
        true);
  }

  /** A healthy node with rules that have no data. */
  public static HealthReport unevaluated(Map<String, String> rules) {
    HealthReport healthy = healthy();
    return new HealthReport(
        healthy.at(),
        healthy.verdict(),
        healthy.action(),
        healthy.urgency(),
        healthy.since(),
        healthy.summary(),
        healthy.gpus(),
        healthy.findings(),
        rules,
        healthy.slowness(),
        healthy.operations(),
        healthy.profile(),
        healthy.simulated());
  }

  /** The failing node under that name, on a platform. */
  public static HealthReport on(String hostname, String instanceId, Platform platform) {
    return on(failing(), hostname, instanceId, platform);
  }

  /** A report of a node with that name, on a platform. */
  public static HealthReport on(
      HealthReport report, String hostname, String instanceId, Platform platform) {
    return new HealthReport(
        report.at(),
        report.verdict(),
        report.action(),
        report.urgency(),
        report.since(),
        report.summary(),
        report.gpus(),
        report.findings(),
        report.unevaluated(),
        report.slowness(),
        report.operations(),
        report.profile(),
        report.simulated(),
        report.hardware(),
        report.trendsLeftOut(),
        report.stopCosts(),
        new HealthReport.NodeName(
            hostname, instanceId, Optional.of(platform), "the test says so", "boot-1"));
  }

  /** A machine that has no GPU and should have none. */
  public static HealthReport withoutGpus() {
    return new HealthReport(
        JUDGED,
        Verdict.HEALTHY,
        Action.NONE,
        Optional.empty(),
        STARTED,
        "no GPU expected: m5.large has none, and no NVIDIA device is on the PCI bus",
        List.of(),
        List.of(),
        Map.of(),
        Slowness.NONE,
        Operations.NONE,
        "aws",
        false);
  }

  /** With other findings. */
  public static HealthReport with(List<Finding> findings) {
    return with(Verdict.FAILING, findings);
  }

  /** With another verdict because of other findings. */
  public static HealthReport with(Verdict verdict, List<Finding> findings) {
    HealthReport failing = failing();
    return new HealthReport(
        failing.at(),
        verdict,
        failing.action(),
        failing.urgency(),
        failing.since(),
        failing.summary(),
        failing.gpus(),
        findings,
        failing.unevaluated(),
        Slowness.NONE,
        Operations.NONE,
        failing.profile(),
        failing.simulated());
  }

  /** With episodes of hardware faults of the node and GPU 1. */
  public static HealthReport withHardwareFaults() {
    HealthReport healthy = healthy();
    Instant last = JUDGED.minusSeconds(7200);
    return new HealthReport(
        healthy.at(),
        healthy.verdict(),
        healthy.action(),
        healthy.urgency(),
        healthy.since(),
        healthy.summary(),
        healthy.gpus(),
        List.of(),
        healthy.unevaluated(),
        Slowness.NONE,
        Operations.NONE,
        healthy.profile(),
        healthy.simulated(),
        List.of(
            new HardwareHistory.Tally("node", "", 3, 7, 5, last),
            new HardwareHistory.Tally("gpu:" + uuid(1), "1650522032781", 1, 2, 0, last)));
  }

  /** Judged at another time. */
  public static HealthReport judged(Instant at) {
    HealthReport failing = failing();
    return new HealthReport(
        at,
        failing.verdict(),
        failing.action(),
        failing.urgency(),
        failing.since(),
        failing.summary(),
        failing.gpus(),
        failing.findings(),
        failing.unevaluated(),
        Slowness.NONE,
        Operations.NONE,
        failing.profile(),
        failing.simulated());
  }

  /** A healthy node on which a job is slow. */
  public static HealthReport slow() {
    return slowed(healthy());
  }

  /** A node with everything that a report can hold. */
  public static HealthReport failingAndSlow() {
    return slowed(failing());
  }

  private static HealthReport slowed(HealthReport report) {
    Labels rank =
        Labels.of(
            "job_id",
            "4711",
            "run",
            "llama",
            "rank",
            "3",
            "local_rank",
            "3",
            "gpu",
            "3",
            "cause",
            "gpu");
    return new HealthReport(
        report.at(),
        report.verdict(),
        report.action(),
        report.urgency(),
        report.since(),
        report.summary(),
        report.gpus(),
        report.findings(),
        report.unevaluated(),
        new Slowness(
            List.of(
                new Slowness.Rank(
                    "training:4711/3",
                    "gpu",
                    12.5,
                    59.25,
                    "rank 3 of job 4711 (GPU 3) lost 12.5 s")),
            List.of(new Slowness.Total(rank, 112.5))),
        Operations.NONE,
        report.profile(),
        report.simulated(),
        report.hardware(),
        0,
        List.of(
            new StopCost(
                "4711",
                "llama",
                OptionalLong.of(1000),
                Optional.of(Instant.parse("2026-11-20T05:07:00Z")),
                Instant.parse("2026-11-20T05:06:00Z"),
                Duration.ofMinutes(12),
                512,
                false),
            new StopCost(
                "",
                "",
                OptionalLong.empty(),
                Optional.empty(),
                Instant.parse("2026-11-20T05:17:00Z"),
                Duration.ofMinutes(1),
                7,
                true)),
        HealthReport.NodeName.UNKNOWN);
  }

  /** As that one, while operators asked for something. */
  public static HealthReport during(HealthReport report, Operations operations) {
    return new HealthReport(
        report.at(),
        report.verdict(),
        report.action(),
        report.urgency(),
        report.since(),
        report.summary(),
        report.gpus(),
        report.findings(),
        report.unevaluated(),
        report.slowness(),
        operations,
        report.profile(),
        report.simulated());
  }
}
