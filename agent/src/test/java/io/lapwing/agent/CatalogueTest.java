package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.metric.MetricType;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The golden pages against the catalogue. */
class CatalogueTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden");

  /** Families that neither golden page can have, and why. */
  private static final String C2C = "GPUs with C2C links to a Grace CPU";

  private static final String NVLINK_5 = "NVLink 5 and newer; the nodes of the pages have NVLink 4";

  private static final String RETIRED_PAGES = "GPUs before Ampere; newer ones remap rows";
  private static final String VGPU =
      "hosts that divide GPUs into vGPUs, and virtual machines that have one";
  private static final String FABRIC = "GPUs in an NVLink domain of several hosts";

  private static final Map<String, String> CONDITIONAL =
      Map.ofEntries(
          Map.entry("DCGM_FI_DEV_C2C_LINK_COUNT", C2C),
          Map.entry("DCGM_FI_DEV_C2C_LINK_ERROR_INTR", C2C),
          Map.entry("DCGM_FI_DEV_C2C_LINK_ERROR_REPLAY", C2C),
          Map.entry("DCGM_FI_DEV_C2C_LINK_ERROR_REPLAY_B2B", C2C),
          Map.entry("DCGM_FI_DEV_C2C_LINK_STATUS", C2C),
          Map.entry("DCGM_FI_DEV_C2C_MAX_BANDWIDTH", C2C),
          Map.entry("DCGM_FI_PROF_C2C_RX_ALL_BYTES", C2C),
          Map.entry("DCGM_FI_PROF_C2C_TX_ALL_BYTES", C2C),
          Map.entry("lapwing_gpu_c2c_errors_total", C2C),
          Map.entry("lapwing_gpu_c2c_links_up", C2C),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER_FLOAT", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_EVENTS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_BYTES", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_GENERAL_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_PACKETS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_REMOTE_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_RX_SYMBOL_ERRORS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_SYMBOL_BER_FLOAT", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_TX_BYTES", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_TX_DISCARDS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_NVLINK_COUNT_TX_PACKETS", NVLINK_5),
          Map.entry("DCGM_FI_DEV_RETIRED_DBE", RETIRED_PAGES),
          Map.entry("DCGM_FI_DEV_RETIRED_PENDING", RETIRED_PAGES),
          Map.entry("DCGM_FI_DEV_RETIRED_SBE", RETIRED_PAGES),
          Map.entry("lapwing_gpu_virtualization_info", VGPU),
          Map.entry("lapwing_gpu_vgpus", VGPU),
          Map.entry("lapwing_gpu_vgpu_info", VGPU),
          Map.entry("lapwing_gpu_vgpu_memory_bytes", VGPU),
          Map.entry("lapwing_gpu_vgpu_memory_used_bytes", VGPU),
          Map.entry("lapwing_gpu_vgpu_license_state", VGPU),
          Map.entry("lapwing_gpu_vgpu_utilization_ratio", VGPU),
          Map.entry("lapwing_gpu_fabric_info", FABRIC));

  /** Families that are on the page only with all details of each Lustre target and LNet peer. */
  private static final Set<String> OF_EACH_TARGET =
      Set.of(
          "lapwing_lnet_peer_queued_bytes",
          "lapwing_lnet_peer_tx_credits",
          "lapwing_lnet_peer_tx_credits_min",
          "lapwing_lustre_cached_bytes",
          "lapwing_lustre_last_eviction_timestamp_seconds",
          "lapwing_lustre_last_reply_timestamp_seconds",
          "lapwing_lustre_locks",
          "lapwing_lustre_network_estimate_seconds",
          "lapwing_lustre_service_estimate_seconds");

  /**
   * Exposed only while a process with the plugin for NCCL has a ring file locked; RingSourceTest
   * expects each.
   */
  private static final Set<String> OF_RINGS =
      MetricCatalogue.of(RingMetrics.class).metrics().stream()
          .map(Metric::name)
          .collect(Collectors.toUnmodifiableSet());

  /** Exposed only if EC2 announces an event, or after a deep check. */
  private static final Set<String> ANNOUNCED =
      Set.of(
          "lapwing_deep_check_timestamp_seconds",
          "lapwing_deep_check_passed",
          "lapwing_deep_check_problem",
          "lapwing_deep_check_found_timestamp_seconds",
          "lapwing_deep_check_bandwidth_bytes_per_second",
          "lapwing_deep_check_flops_per_second",
          "lapwing_deep_check_tool_passed",
          "lapwing_node_maintenance_events",
          "lapwing_node_maintenance_event",
          "lapwing_node_maintenance_not_before_timestamp_seconds",
          "lapwing_node_spot_interruption_timestamp_seconds");

  /** Of a machine with memory controllers, disks, systemd and a crash. */
  private static final Set<String> OF_HOST =
      Set.of(
          "lapwing_host_memory_errors_total",
          "lapwing_host_filesystem_size_bytes",
          "lapwing_host_filesystem_free_bytes",
          "lapwing_host_filesystem_available_bytes",
          "lapwing_host_panic_timestamp_seconds",
          "lapwing_host_unit_running",
          "lapwing_host_unit_restarts_total");

  /** A node that never was, with all that the golden pages lack. */
  private static final Map<String, String> LATER_OR_OLDER =
      Map.of(
          "gpu.*.retired.sbe", "0",
          "gpu.*.retired.dbe", "1",
          "gpu.*.retired.pending", "0",
          "gpu.*.c2c.count", "5",
          "gpu.*.c2c.replay", "1",
          "gpu.0.virtualization", "3",
          "gpu.0.vgpu.0", "40960 5 40 4711 NVIDIA B200-40C",
          "gpu.*.fabric.uuid", "01234567-89ab-cdef-0123-456789abcdef");

  private static final String SCHEDULED =
      """
      [{"NotBefore": "21 Jan 2029 09:00:43 GMT", "Code": "system-reboot", "EventId": "e-1", "State": "active"}]
      """;

  private static final String TAKEN_BACK =
      """
      {"action": "terminate", "time": "2029-01-21T09:00:43Z"}
      """;

  private static final Map<String, Metric> CATALOGUE =
      CollectorGroup.catalogue().metrics().stream()
          .collect(Collectors.toMap(Metric::name, Function.identity()));

  /** On few findings only. */
  private static final Set<String> SOMETIMES = Set.of("test", "confirmed", "xid_name");

  private static Map<String, TextPage.Family> golden() throws Exception {
    Map<String, TextPage.Family> families = new TreeMap<>();
    for (String file : Set.of("healthy.txt", "broken.txt")) {
      TextPage page = TextPage.parse(Files.readAllBytes(GOLDEN.resolve(file)));
      page.families().forEach(family -> families.put(family.name(), family));
    }
    return families;
  }

  @Test
  void everyExposedMetricIsInTheCatalogue() throws Exception {
    assertThat(golden().values())
        .allSatisfy(
            family -> {
              Metric metric = CATALOGUE.get(family.name());
              assertThat(metric).as(family.name()).isNotNull();
              assertThat(family.type()).isEqualTo(metric.type().text());
              assertThat(family.help()).isEqualTo(metric.help());
              assertThat(family.samples())
                  .allSatisfy(
                      sample ->
                          assertThat(sample.labels().keySet())
                              .as(sample.series())
                              .containsExactlyInAnyOrderElementsOf(labels(metric, sample)));
            });
  }

  /** The count of a histogram has no bound. */
  private static List<String> labels(Metric metric, TextPage.Sample sample) {
    boolean counts =
        metric.type() == MetricType.HISTOGRAM && !sample.name().equals(metric.sampleName());
    List<String> all = counts ? metric.count().labels() : metric.labels();
    return all.stream()
        .filter(label -> !isOptional(metric, label) || sample.labels().containsKey(label))
        .toList();
  }

  /** The 0 of a window without an XID has no XID. */
  private static boolean isOptional(Metric metric, String label) {
    return SOMETIMES.contains(label)
        || (metric.name().startsWith("lapwing_health_finding") && label.equals("GPU_I_ID"))
        || (metric.name().equals("DCGM_EXP_XID_ERRORS_COUNT") && label.equals("xid"));
  }

  @Test
  void everyEntryOfTheCatalogueIsOnAGoldenPageOrListedAsConditional() throws Exception {
    Set<String> absent = new TreeSet<>(CATALOGUE.keySet());
    absent.removeAll(golden().keySet());
    absent.removeAll(ANNOUNCED);
    absent.removeAll(OF_EACH_TARGET);
    absent.removeAll(OF_HOST);
    absent.removeAll(OF_RINGS);
    absent.removeAll(DcgmPageTest.FAMILIES);
    absent.removeAll(MigPageTest.FAMILIES);
    absent.removeAll(SharedGpuPageTest.FAMILIES);
    absent.removeAll(OperationsTest.FAMILIES);
    absent.removeAll(WorkloadPageTest.FAMILIES);
    absent.remove(JobNetworkTest.FAMILY);
    // From the first XID of a MIG instance on; XidSamplesTest has one.
    absent.remove("lapwing_gpu_instance_xid_errors_total");
    // In a virtual machine, which is no host of vGPUs; GpuVgpuTest has it.
    absent.remove("DCGM_FI_DEV_VGPU_LICENSE_STATUS");

    assertThat(absent).isEqualTo(new TreeSet<>(CONDITIONAL.keySet()));
  }

  @Test
  void whatIsConditionalIsThereWhereItsConditionHolds(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.of(dir, "p6-b200.48xlarge", LATER_OR_OLDER)) {
      Set<String> found =
          node.agent().page().families().stream()
              .map(TextPage.Family::name)
              .collect(Collectors.toSet());

      assertThat(found).containsAll(CONDITIONAL.keySet());
    }
  }

  @Test
  void metricsOfEachTargetExistWhereTheyAreEnabled(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
    node.setAll(Map.of("lustre.OST0001.state", "EVICTED"));
    try (TestAgent agent = TestAgent.quick(node, "--lustre.targets=full")) {
      agent.awaitRounds(Map.of("lustre", 1, "lnet", 1));

      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(agent.page().families())
                      .extracting(TextPage.Family::name)
                      .containsAll(OF_EACH_TARGET));
    }
  }

  @Test
  void whatEc2AnnouncesIsThereWhereItIsAnnounced(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
    try (MetadataService service =
            new MetadataService()
                .with("events/maintenance/scheduled", SCHEDULED)
                .with("spot/instance-action", TAKEN_BACK);
        TestAgent agent = TestAgent.quick(node, "--imds.url=" + service.base())) {
      agent.awaitRounds(Map.of("imds", 1));

      assertThat(agent.page().families())
          .extracting(TextPage.Family::name)
          .containsAll(
              ANNOUNCED.stream().filter(name -> !name.startsWith("lapwing_deep_check_")).toList());
    }
  }

  @Test
  void whatOnlyAWholeMachineHasIsThereOnOne(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
    Files.createDirectories(dir.resolve("var/log"));
    long dev = (long) Files.getAttribute(dir, "unix:dev");
    Files.writeString(
        dir.resolve("proc/1/mountinfo"),
        "29 1 %d:%d / /var/log rw - ext4 /dev/sda1 rw%n"
            .formatted(
                (dev >>> 8 & 0xfff) | (dev >>> 32 & ~0xfffL),
                (dev & 0xff) | (dev >>> 12 & 0xffffff00L)));
    Files.createDirectories(dir.resolve("run/systemd/units"));
    Path controller = Files.createDirectories(dir.resolve("sys/devices/system/edac/mc/mc0"));
    Files.writeString(controller.resolve("ce_count"), "0\n");
    Path pstore = Files.createDirectories(dir.resolve("sys/fs/pstore"));
    Files.writeString(pstore.resolve("dmesg-erst-1"), "Panic#1 Part1\n");
    try (TestAgent agent = TestAgent.quick(node, "--node.units=slurmd")) {
      agent.awaitRounds(
          Map.of("host_memory", 1, "host_filesystem", 1, "host_panics", 1, "host_units", 1));

      assertThat(agent.page().families()).extracting(TextPage.Family::name).containsAll(OF_HOST);
    }
  }
}
