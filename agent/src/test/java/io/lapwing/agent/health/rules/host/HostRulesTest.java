package io.lapwing.agent.health.rules.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.host.HostFaultKind;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HostRulesTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

  private final List<Event> events = new ArrayList<>();
  private List<PartStatus> parts = List.of();
  private Instant now = START;

  private void fault(HostFaultKind kind, String device, String component, long times) {
    events.add(
        new Event.HostFault(
            now,
            kind.text(),
            device,
            OptionalLong.of(77),
            "python",
            component,
            "a message",
            times,
            OptionalLong.empty()));
  }

  private void fault(HostFaultKind kind, String device) {
    fault(kind, device, "", 1);
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private Optional<Detection> run(HealthRule rule) {
    return run(rule, rule.spec().aws());
  }

  private Optional<Detection> run(HealthRule rule, Disposition disposition) {
    Map<String, Double> thresholds =
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset));
    List<Detection> found =
        rule.evaluate(view(), new RulePolicy(rule.spec(), true, disposition, thresholds));
    assertThat(found).hasSizeLessThan(2);
    assertThat(found).allMatch(detection -> detection.subject().equals(Subject.NODE));
    return found.stream().findFirst();
  }

  private NodeSnapshot view() {
    return new NodeSnapshot(
        now,
        new NodeFacts(
            "n",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.NotPolled(),
        NodeSnapshot.AgentStatus.ALL_AVAILABLE,
        List.of(),
        parts,
        new History(events),
        Trends.NONE);
  }

  @Test
  void aHealthyHostHasNoFinding() {
    HostRule.all().forEach(rule -> assertThat(run(rule)).isEmpty());
  }

  @Test
  void anUncorrectedErrorStaysUntilTheNodeIsReplaced() {
    HealthRule rule = new MemoryUncorrected();
    events.add(new Event.Booted(now, "a", "i-1"));
    fault(HostFaultKind.MEMORY_UNCORRECTED, "mc0 DIMM_A1");
    Detection found = run(rule).orElseThrow();
    assertThat(found.disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(found.what()).isEqualTo("1 uncorrected hardware error of mc0 DIMM_A1");
    pass(Duration.ofDays(30));
    events.add(new Event.Booted(now, "b", "i-1"));
    assertThat(run(rule)).as("after a reboot").isPresent();
    assertThat(run(rule, rule.spec().nvidia())).as("of which nvidia is content").isEmpty();
    events.add(new Event.Booted(now, "c", "i-2"));
    assertThat(run(rule)).as("on another machine").isEmpty();
  }

  @Test
  void anOperatorClearsAFinding() {
    fault(HostFaultKind.MACHINE_CHECK_UNCORRECTED, "cpu1 bank4");
    assertThat(run(new MemoryUncorrected())).isPresent();
    events.add(new Event.OperatorCleared(now, "oom_kill", "", ""));
    assertThat(run(new MemoryUncorrected())).isPresent();
    events.add(new Event.OperatorCleared(now, "host_memory_uncorrected", "node", "new DIMM"));
    assertThat(run(new MemoryUncorrected())).isEmpty();
  }

  @Test
  void correctedErrorsCountPerDeviceAndDay() {
    HealthRule rule = new MemoryCorrected();
    fault(HostFaultKind.MEMORY_CORRECTED, "mc0 DIMM_A1", "", 60);
    fault(HostFaultKind.MEMORY_CORRECTED, "mc0 DIMM_B1", "", 60);
    assertThat(run(rule)).isEmpty();
    fault(HostFaultKind.MEMORY_CORRECTED, "mc0 DIMM_B1", "", 40);
    Detection found = run(rule).orElseThrow();
    assertThat(found.what()).isEqualTo("100 corrected hardware errors of mc0 DIMM_B1");
    assertThat(found.disposition()).isEqualTo(Disposition.WATCH);
    pass(Duration.ofHours(25));
    assertThat(run(rule)).isEmpty();
  }

  @Test
  void aDiskThatIsGoneIsWorseThanOneThatIsLate() {
    HealthRule rule = new NvmeFailed();
    fault(HostFaultKind.NVME_TIMEOUT, "nvme1", "", 2);
    assertThat(run(rule)).isEmpty();
    fault(HostFaultKind.NVME_TIMEOUT, "nvme1");
    assertThat(run(rule).orElseThrow().disposition()).isEqualTo(Disposition.WATCH);
    fault(HostFaultKind.NVME_GONE, "nvme1");
    Detection gone = run(rule).orElseThrow();
    assertThat(gone.what()).isEqualTo("NVMe controllers are gone: nvme1");
    assertThat(gone.disposition().action()).isEqualTo(Action.REPLACE_NODE);
  }

  @Test
  void errorsOfADiskAreShownForADay() {
    fault(HostFaultKind.DISK_ERROR, "nvme1n1");
    assertThat(run(new DiskErrors()).orElseThrow().what())
        .isEqualTo("1 disk or file system error of nvme1n1: a message");
    pass(Duration.ofHours(25));
    assertThat(run(new DiskErrors())).isEmpty();
  }

  @Test
  void aReadOnlyFileSystemStaysSoUntilAReboot() {
    HealthRule rule = new FilesystemReadOnly();
    fault(HostFaultKind.FILESYSTEM_READ_ONLY, "nvme0n1p1");
    pass(Duration.ofDays(3));
    assertThat(run(rule).orElseThrow().disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END));
    events.add(new Event.DriverLoaded(now, "580.95.05"));
    assertThat(run(rule)).as("the GPU driver mends no disk").isPresent();
    events.add(new Event.Booted(now, "b", ""));
    assertThat(run(rule)).isEmpty();
  }

  @Test
  void oneLockupIsChanceTwoAreNot() {
    fault(HostFaultKind.SOFT_LOCKUP, "cpu3");
    assertThat(run(new KernelLockups())).isEmpty();
    fault(HostFaultKind.RCU_STALL, "rcu_sched");
    assertThat(run(new KernelLockups()).orElseThrow().what())
        .isEqualTo("1 soft lockup and 1 RCU stall");
  }

  @Test
  void onlyATaskThatWaitsForAGpuCounts() {
    fault(HostFaultKind.HUNG_TASK, "", "ptlrpc", 1);
    Detection lustre = run(new HungTasks()).orElseThrow();
    assertThat(lustre.disposition()).isEqualTo(Disposition.info());
    assertThat(lustre.what()).isEqualTo("1 hung task, last python (pid 77) in ptlrpc");
    assertThat(lustre.toString()).contains("The task does not wait for a GPU");
    fault(HostFaultKind.HUNG_TASK, "", "nvidia_uvm", 1);
    assertThat(run(new HungTasks()).orElseThrow().disposition()).isEqualTo(Disposition.WATCH);
  }

  @Test
  void reportsOfOneTaskAreOneTask() {
    fault(HostFaultKind.HUNG_TASK, "", Event.HostFault.OTHER, 2);
    fault(HostFaultKind.HUNG_TASK, "", Event.HostFault.OTHER, 3);
    Detection found = run(new HungTasks()).orElseThrow();
    assertThat(found.what()).isEqualTo("1 hung task, last python (pid 77)");
    assertThat(found.toString()).contains("The task does not wait for a GPU");
  }

  @Test
  void withoutACallTraceNothingShowsWhatATaskWaitsFor() {
    fault(HostFaultKind.HUNG_TASK, "");
    Detection found = run(new HungTasks()).orElseThrow();
    assertThat(found.disposition()).isEqualTo(Disposition.info());
    assertThat(found.toString())
        .contains("does not show what the task waits for")
        .doesNotContain("does not wait for a GPU");
  }

  @Test
  void aKilledProcessIsNamedWithItsRank() {
    fault(HostFaultKind.OOM_KILL, "cgroup");
    assertThat(run(new OomKills()).orElseThrow().what())
        .isEqualTo("1 kill for memory, last python (pid 77), by the limit of its cgroup");
    parts = List.of(rank("4711/3", 77, true));
    Detection found = run(new OomKills()).orElseThrow();
    assertThat(found.what()).contains("(pid 77) (rank 3 of job 4711)");
    assertThat(found.disposition()).isEqualTo(Disposition.info());
    parts = List.of(rank("4711/3", 78, true));
    assertThat(run(new OomKills()).orElseThrow().what()).doesNotContain("4711");
    parts = List.of(rank("4711/3", 77, false));
    assertThat(run(new OomKills()).orElseThrow().what()).doesNotContain("4711");
    pass(Duration.ofHours(2));
    assertThat(run(new OomKills())).isEmpty();
  }

  private static PartStatus rank(String name, int pid, boolean verified) {
    List<String> labels = TrainingMetrics.INFO.labels();
    int own = TrainingMetrics.STEPS.labels().size();
    List<String> info = new ArrayList<>(Collections.nCopies(labels.size() - own, ""));
    info.set(labels.indexOf("pid") - own, String.valueOf(pid));
    Values values =
        metric ->
            metric.equals(TrainingMetrics.INFO)
                ? Map.of(info, 1.0)
                : Map.of(List.of(), verified ? 1.0 : 0.0);
    return new PartStatus("training", name, PartStatus.State.ANSWERS, "", values);
  }

  @Test
  void onlyAFatalErrorOfADeviceThatCarriesWorkCounts() {
    HealthRule rule = new PcieErrors();
    fault(HostFaultKind.PCIE_CORRECTED, "0000:53:00.0", "nvidia", 500);
    fault(HostFaultKind.PCIE_FATAL, "0000:00:1f.0", "ahci", 1);
    assertThat(run(rule).orElseThrow().disposition()).isEqualTo(Disposition.info());
    fault(HostFaultKind.PCIE_FATAL, "0000:53:00.0", "nvidia", 1);
    Detection found = run(rule).orElseThrow();
    assertThat(found.disposition()).isEqualTo(Disposition.WATCH);
    assertThat(found.what()).isEqualTo("1 fatal PCIe error of 0000:53:00.0");
  }

  @Test
  void aNetworkDeviceThatDoesNotSendIsWatched() {
    fault(HostFaultKind.NETDEV_TIMEOUT, "eth0");
    assertThat(run(new NetdevTimeouts()).orElseThrow().disposition()).isEqualTo(Disposition.WATCH);
  }

  @Test
  void manyDevicesAreNotAllNamed() {
    for (int i = 0; i < 9; i++) {
      fault(HostFaultKind.NETDEV_TIMEOUT, "eth" + i);
    }
    assertThat(run(new NetdevTimeouts()).orElseThrow().what())
        .isEqualTo("9 transmit timeouts of eth0, eth1, eth2, eth3 and 5 more");
  }
}
