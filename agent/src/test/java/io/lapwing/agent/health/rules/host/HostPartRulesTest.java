package io.lapwing.agent.health.rules.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
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
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.host.HostFaultKind;
import io.lapwing.host.HostMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules on files of the host, and those on the kernel log that read files too. */
class HostPartRulesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final double GIGABYTE = 1e9;

  private final Map<String, Map<Metric, Map<List<String>, Double>>> readings = new HashMap<>();
  private final Map<List<String>, Double> increases = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private final List<GpuStatus> gpus = new ArrayList<>();
  private PartStatus.State state = PartStatus.State.ANSWERS;

  private void put(String kind, Metric metric, double value, String... labels) {
    readings
        .computeIfAbsent(kind, unseen -> new HashMap<>())
        .computeIfAbsent(metric, unseen -> new HashMap<>())
        .put(List.of(labels), value);
  }

  private void mount(String point, String device, boolean readOnly, double usedShare) {
    String[] labels = {point, device, "ext4"};
    put("host_filesystem", HostMetrics.FILESYSTEM_READ_ONLY, readOnly ? 1 : 0, labels);
    put("host_filesystem", HostMetrics.FILESYSTEM_SIZE, 105 * GIGABYTE, labels);
    double free = (1 - usedShare) * 100 * GIGABYTE;
    // 5 GB are reserved for root.
    put("host_filesystem", HostMetrics.FILESYSTEM_FREE, free + 5 * GIGABYTE, labels);
    put("host_filesystem", HostMetrics.FILESYSTEM_AVAILABLE, free, labels);
  }

  private void fault(HostFaultKind kind, String device) {
    fault(kind, device, Duration.ofMinutes(10));
  }

  private void fault(HostFaultKind kind, String device, Duration ago) {
    events.add(
        new Event.HostFault(
            NOW.minus(ago),
            kind.text(),
            device,
            OptionalLong.empty(),
            "",
            "",
            "m",
            1,
            OptionalLong.empty()));
  }

  private NodeSnapshot view(HealthRule rule) {
    List<Metric> named =
        Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
            .flatMap(List::stream)
            .toList();
    List<PartStatus> parts = new ArrayList<>();
    readings.forEach(
        (kind, all) -> {
          Values values =
              metric -> {
                assertThat(named).as("the rule names what it reads").contains(metric);
                return all.getOrDefault(metric, Map.of());
              };
          parts.add(
              new PartStatus(
                  kind,
                  "",
                  state,
                  state == PartStatus.State.ANSWERS ? "" : "not_found",
                  state == PartStatus.State.ANSWERS ? values : Values.NONE));
        });
    Trends trends =
        (part, metric, labels, window) ->
            increases.containsKey(labels)
                ? OptionalDouble.of(increases.get(labels))
                : OptionalDouble.empty();
    return new NodeSnapshot(
        NOW,
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
        gpus,
        parts,
        new History(events),
        trends);
  }

  private Optional<Detection> run(HealthRule rule) {
    Map<String, Double> thresholds =
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset));
    List<Detection> found =
        rule.evaluate(view(rule), new RulePolicy(rule.spec(), true, rule.spec().aws(), thresholds));
    assertThat(found).hasSizeLessThan(2);
    assertThat(found).allMatch(detection -> detection.subject().equals(Subject.NODE));
    return found.stream().findFirst();
  }

  private static Disposition of(Optional<Detection> found) {
    return found.orElseThrow().disposition();
  }

  @Test
  void aFileSystemIsFullAtTheShareThatDfShows() {
    mount("/", "/dev/nvme0n1p1", false, 0.975);
    assertThat(run(new FilesystemFull())).isEmpty();
    mount("/data", "/dev/nvme1n1", false, 0.99);
    Optional<Detection> found = run(new FilesystemFull());
    assertThat(found.orElseThrow().what()).isEqualTo("/data is 99 % full");
    assertThat(of(found)).isEqualTo(Disposition.WATCH);
  }

  @Test
  void aReadOnlyRootIsWorseThanAReadOnlyScratchDisk() {
    mount("/", "/dev/nvme0n1p1", false, 0.5);
    mount("/data", "/dev/nvme1n1", true, 0.5);
    Optional<Detection> data = run(new FilesystemReadOnly());
    assertThat(of(data)).isEqualTo(Disposition.WATCH);
    assertThat(data.orElseThrow().what()).isEqualTo("/data cannot be written");
    mount("/", "/dev/nvme0n1p1", true, 0.5);
    assertThat(of(run(new FilesystemReadOnly())))
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END));
  }

  @Test
  void theMessageIsNamedByItsMountAndOverWhenThatIsWritable() {
    fault(HostFaultKind.FILESYSTEM_READ_ONLY, "nvme1n1");
    mount("/data", "/dev/nvme1n1", true, 0.5);
    assertThat(run(new FilesystemReadOnly()).orElseThrow().what())
        .isEqualTo("/data cannot be written");
    mount("/data", "/dev/nvme1n1", false, 0.5);
    assertThat(run(new FilesystemReadOnly())).isEmpty();
    fault(HostFaultKind.FILESYSTEM_READ_ONLY, "nvme1n1", Duration.ofSeconds(5));
    assertThat(run(new FilesystemReadOnly())).as("the mounts were read before").isPresent();
    events.clear();
    fault(HostFaultKind.FILESYSTEM_SHUTDOWN, "nvme1n1");
    assertThat(run(new FilesystemReadOnly())).as("the mount table does not show it").isPresent();
  }

  @Test
  void aFileSystemOnAVolumeIsNamedByTheKernelOnly() {
    fault(HostFaultKind.FILESYSTEM_READ_ONLY, "dm-0");
    mount("/data", "/dev/mapper/vg-lv", false, 0.5);
    Optional<Detection> found = run(new FilesystemReadOnly());
    assertThat(found.orElseThrow().what()).isEqualTo("dm-0 cannot be written");
    assertThat(of(found)).isEqualTo(Disposition.WATCH);
  }

  @Test
  void aDiskWithoutAFileSystemIsOnlyWatched() {
    fault(HostFaultKind.NVME_GONE, "nvme1");
    mount("/", "/dev/nvme0n1p1", false, 0.5);
    assertThat(of(run(new NvmeFailed()))).isEqualTo(Disposition.WATCH);
    mount("/data", "/dev/nvme1n1p1", false, 0.5);
    assertThat(of(run(new NvmeFailed())).action()).isEqualTo(Action.REPLACE_NODE);
  }

  @Test
  void aDiskMayBePartOfAnArray() {
    fault(HostFaultKind.NVME_DOWN, "nvme1");
    mount("/data", "/dev/md0", false, 0.5);
    Optional<Detection> found = run(new NvmeFailed());
    assertThat(of(found).action()).isEqualTo(Action.REPLACE_NODE);
    assertThat(found.orElseThrow().what()).isEqualTo("1 NVMe reset of nvme1");
  }

  @Test
  void edacIsBelievedWithoutTheKernelLog() {
    put("host_memory", HostMetrics.MEMORY_ERRORS, 5, "mc0", "DIMM_A1", "corrected");
    put("host_memory", HostMetrics.MEMORY_ERRORS, 0, "mc0", "DIMM_A1", "uncorrected");
    assertThat(run(new MemoryUncorrected())).isEmpty();
    assertThat(run(new MemoryCorrected())).isEmpty();
    put("host_memory", HostMetrics.MEMORY_ERRORS, 2, "mc0", "DIMM_A1", "uncorrected");
    assertThat(run(new MemoryUncorrected()).orElseThrow().what())
        .isEqualTo("2 uncorrected memory errors since the boot");
    increases.put(List.of("mc0", "DIMM_A1", "corrected"), 99.0);
    assertThat(run(new MemoryCorrected())).isEmpty();
    increases.put(List.of("mc0", "DIMM_A1", "corrected"), 100.0);
    assertThat(run(new MemoryCorrected()).orElseThrow().what())
        .isEqualTo("100 corrected memory errors of mc0 DIMM_A1 in 10 min");
  }

  @Test
  void whatCannotBeReadIsNotGone() {
    mount("/", "/dev/nvme0n1p1", true, 0.5);
    put("host_memory", HostMetrics.MEMORY_ERRORS, 2, "mc0", "DIMM_A1", "uncorrected");
    for (HealthRule rule : List.of(new FilesystemReadOnly(), new MemoryUncorrected())) {
      state = PartStatus.State.ANSWERS;
      assertThat(rule.canEvaluate(Subject.NODE, view(rule))).isTrue();
      state = PartStatus.State.HUNG;
      assertThat(rule.canEvaluate(Subject.NODE, view(rule))).isFalse();
    }
  }

  /** Any of them may be a volume of a pod. */
  @Test
  void withoutTheMountsNoDiskIsKnownToHoldTheSystem() {
    mount("/", "/dev/nvme0n1p1", false, 0.5);
    state = PartStatus.State.DOWN;
    fault(HostFaultKind.FILESYSTEM_READ_ONLY, "nvme5n1");
    fault(HostFaultKind.NVME_GONE, "nvme5");
    assertThat(of(run(new FilesystemReadOnly()))).isEqualTo(Disposition.WATCH);
    assertThat(of(run(new NvmeFailed()))).isEqualTo(Disposition.WATCH);
  }

  private void crash(Duration ago, String name) {
    double at = (double) NOW.minus(ago).getEpochSecond();
    put("host_panics", HostMetrics.PANIC_TIME, at, name, "Kernel panic - not syncing: x");
  }

  @Test
  void oneCrashIsAReasonTwoAreAFault() {
    put("host_panics", HostMetrics.PANICS, 0);
    assertThat(run(new KernelPanics())).isEmpty();
    crash(Duration.ofDays(8), "dmesg-1");
    assertThat(run(new KernelPanics())).isEmpty();
    crash(Duration.ofDays(3), "dmesg-2");
    Optional<Detection> one = run(new KernelPanics());
    assertThat(of(one)).isEqualTo(Disposition.info());
    assertThat(one.orElseThrow().what())
        .isEqualTo(
            "1 crash of the kernel, last at 2026-02-26T12:00:00Z: Kernel panic - not syncing: x (dmesg-2)");
    crash(Duration.ofHours(1), "dmesg-3");
    assertThat(of(run(new KernelPanics())))
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    events.add(new Event.MachineReplaced(NOW.minus(Duration.ofHours(2)), 8));
    assertThat(of(run(new KernelPanics())))
        .as("the others are the old one's")
        .isEqualTo(Disposition.info());
    events.add(new Event.OperatorCleared(NOW, "kernel_panic", "", ""));
    assertThat(run(new KernelPanics())).isEmpty();
  }

  @Test
  void aUnitThatDoesNotRunOrRestartsAgainAndAgainIsNamed() {
    put("host_units", HostMetrics.UNIT_RUNNING, 1, "slurmd.service");
    put("host_units", HostMetrics.UNIT_RUNNING, 1, "kubelet.service");
    increases.put(List.of("kubelet.service"), 2.0);
    assertThat(run(new UnitsNotRunning())).isEmpty();
    increases.put(List.of("kubelet.service"), 3.0);
    assertThat(run(new UnitsNotRunning()).orElseThrow().disposition())
        .as("restarted by systemd already")
        .isEqualTo(Disposition.WATCH);
    put("host_units", HostMetrics.UNIT_RUNNING, 0, "slurmd.service");
    Detection stopped = run(new UnitsNotRunning()).orElseThrow();
    assertThat(stopped.what())
        .isEqualTo("kubelet.service restarted 3 times in 10 min and slurmd.service is not running");
    assertThat(stopped.disposition().action()).isEqualTo(Action.RESTART_SERVICE);
    state = PartStatus.State.DOWN;
    assertThat(run(new UnitsNotRunning()).orElseThrow().what())
        .isEqualTo("the state of the systemd units is unknown: not_found");
  }

  private void gpu(String vbios, double persistence) {
    int index = gpus.size();
    List<String> info =
        List.of("NVIDIA H100 80GB HBM3", "165", "0000", String.valueOf(index), vbios, "G520.0200");
    Values values =
        metric ->
            metric.equals(GpuMetrics.INFO)
                ? Map.of(info, 1.0)
                : metric.equals(DcgmMetrics.PERSISTENCE_MODE)
                    ? Map.of(List.of(), persistence)
                    : Map.of();
    gpus.add(new GpuStatus("GPU-" + index, index, "", PartStatus.State.ANSWERS, values));
  }

  @Test
  void siblingsWithOtherFirmwareAreNamed() {
    gpu("96.00.61", 1);
    gpu("96.00.61", 1);
    assertThat(run(new GpuVersionsDiffer())).isEmpty();
    gpu("96.00.74", 1);
    Optional<Detection> found = run(new GpuVersionsDiffer());
    assertThat(of(found)).isEqualTo(Disposition.info());
    assertThat(found.orElseThrow().what())
        .isEqualTo("VBIOS 96.00.61 (GPUs 0 and 1) and 96.00.74 (GPU 2) of NVIDIA H100 80GB HBM3");
  }

  @Test
  void persistenceModeIsInfo() {
    gpu("96.00.61", 1);
    assertThat(run(new PersistenceOff())).isEmpty();
    gpu("96.00.61", 0);
    Optional<Detection> found = run(new PersistenceOff());
    assertThat(of(found)).isEqualTo(Disposition.info());
    assertThat(found.orElseThrow().what()).isEqualTo("persistence mode is off on GPU 1");
  }
}
