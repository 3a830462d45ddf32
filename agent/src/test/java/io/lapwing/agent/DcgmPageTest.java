package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.health.Subject;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a p4d.24xlarge, whose A100 have no GPM, with and without DCGM. */
class DcgmPageTest {

  /** Exposed only while DCGM's host engine is used, or where it is missing. */
  static final Set<String> FAMILIES =
      Set.of(
          "DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_NON_FATAL_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_TEMPERATURE_CURRENT",
          "DCGM_FI_DEV_NVSWITCH_POWER_VDD",
          "DCGM_FI_DEV_NVSWITCH_RESET_REQUIRED",
          "DCGM_FI_DEV_NVSWITCH_LINK_STATUS",
          "DCGM_FI_DEV_NVSWITCH_LINK_FATAL_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_LINK_NON_FATAL_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_LINK_REPLAY_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_LINK_RECOVERY_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_LINK_ECC_ERRORS",
          "DCGM_FI_DEV_NVSWITCH_LINK_THROUGHPUT_TX",
          "DCGM_FI_DEV_NVSWITCH_LINK_THROUGHPUT_RX",
          "lapwing_dcgm_up",
          "lapwing_dcgm_info",
          "lapwing_dcgm_field_rejected",
          "lapwing_dcgm_sample_timestamp_seconds",
          "lapwing_gpu_activity_info",
          "lapwing_gpu_dcgm_health_info",
          "lapwing_gpu_dcgm_policy_violations_total",
          "DCGM_EXP_GPU_HEALTH_STATUS",
          "lapwing_imex_domain_state",
          "lapwing_imex_daemon_state",
          "DCGM_FI_IMEX_DAEMON_STATUS",
          "DCGM_FI_DEV_CPU_UTIL_TOTAL",
          "DCGM_FI_DEV_CPU_TEMP_CURRENT",
          "DCGM_FI_DEV_CPU_POWER_UTIL_CURRENT",
          "DCGM_FI_DEV_CPU_POWER_LIMIT",
          "DCGM_FI_DEV_SYSIO_POWER_UTIL_CURRENT",
          "DCGM_FI_DEV_MODULE_POWER_UTIL_CURRENT");

  private static final String HEALTH = "DCGM_EXP_GPU_HEALTH_STATUS";
  private static final String VIOLATIONS = "lapwing_gpu_dcgm_policy_violations_total";
  private static final String SM_ACTIVE = "DCGM_FI_PROF_SM_ACTIVE";
  private static final String SM_SECONDS = "lapwing_gpu_sm_active_seconds_total";
  private static final String[] ENGINE = {"--dcgm.engine=localhost:5555"};
  private static final int GPUS = 8;

  @TempDir Path dir;

  private SimulatedNode node() {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p4d.24xlarge").withoutEfa());
    node.setAll(Map.of("dcgm.link.0.3.fatal", "12028", "dcgm.link.1.15.non_fatal", "20009"));
    node.setAll(
        Map.of(
            "gpu.*.gpm.sm_active", "40",
            "dcgm.switches", "6",
            "dcgm.switch.0.fatal", "20034",
            "dcgm.switch.1.non_fatal", "20009",
            "dcgm.cpus", "2", // no node has both, but the page does
            "dcgm.reject.1016", "38",
            "dcgm.policy.3", "0x40",
            "dcgm.incident.3", "0x10 20 52"));
    return node;
  }

  private static Set<String> names(TextPage page) {
    return page.families().stream().map(TextPage.Family::name).collect(Collectors.toSet());
  }

  private static List<String> reasons(TestAgent agent) {
    return agent.page().samples("lapwing_gpu_activity_info").stream()
        .map(sample -> sample.label("source") + " " + sample.label("reason"))
        .distinct()
        .toList();
  }

  private static void awaitActivity(TestAgent agent) {
    await()
        .atMost(TestAgent.PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(agent.page().samples(SM_ACTIVE)).hasSize(GPUS);
              assertThat(agent.page().samples(SM_SECONDS)).allMatch(sum -> sum.value() > 0);
            });
  }

  @Test
  void withAHostEngineTheNodeHasTheActivityOfItsGpus() throws Exception {
    SimulatedNode node = node();
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      awaitActivity(agent);

      TextPage page = agent.page();
      assertThat(page.samples(SM_ACTIVE))
          .allSatisfy(sample -> assertThat(sample.value()).isCloseTo(0.4, within(1e-6)));
      assertThat(page.samples(SM_ACTIVE).get(0).labels().keySet())
          .containsExactlyInAnyOrderElementsOf(DcgmMetrics.LABELS);
      assertThat(names(page)).contains("DCGM_FI_PROF_DRAM_ACTIVE");
      awaitPage(agent, later -> assertThat(names(later)).containsAll(FAMILIES));
      assertThat(reasons(agent)).containsExactly("dcgm ");
      assertThat(page.value("lapwing_dcgm_up")).contains(1.0);
      assertThat(page.value("lapwing_collector_success", "collector", "dcgm")).contains(1.0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"g5.48xlarge", "g6e.48xlarge"})
  void theGpusOfOtherGenerationsWithoutGpmHaveActivityToo(String type) throws Exception {
    SimulatedNode other = SimulatedNode.create(dir, InstanceType.named(type).withoutEfa());
    other.setAll(Map.of("gpu.*.gpm.sm_active", "40"));
    try (TestAgent agent = TestAgent.quick(other, ENGINE)) {
      awaitActivity(agent);

      assertThat(agent.page().samples(SM_ACTIVE))
          .allSatisfy(sample -> assertThat(sample.value()).isCloseTo(0.4, within(1e-6)));
      assertThat(reasons(agent)).containsExactly("dcgm ");
    }
  }

  @Test
  void withoutDcgmThePageSaysWhyThereIsNone() throws Exception {
    try (TestAgent agent = TestAgent.quick(node())) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(() -> assertThat(reasons(agent)).containsExactly("none dcgm_off"));

      TextPage page = agent.page();
      assertThat(page.samples("lapwing_gpu_gpm_supported")).hasSize(GPUS);
      assertThat(names(page)).doesNotContain(SM_ACTIVE, SM_SECONDS, "lapwing_dcgm_up");
      assertThat(page.value("lapwing_collector_success", "collector", "dcgm")).isEmpty();
    }
  }

  /** No procfs of a node has a listener, so that no library is loaded. */
  @Test
  void autoStartsNoEngine() throws Exception {
    try (TestAgent agent = TestAgent.quick(node(), "--dcgm.engine=auto")) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(() -> assertThat(reasons(agent)).containsExactly("none no_host_engine"));

      TextPage page = agent.page();
      assertThat(page.value("lapwing_collector_success", "collector", "dcgm")).contains(1.0);
      assertThat(names(page)).doesNotContain("lapwing_dcgm_up");
    }
  }

  @Test
  void anEngineThatIsGoneCostsItsOwnFamiliesUntilItIsBack() throws Exception {
    SimulatedNode node = node();
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      awaitActivity(agent);

      node.set("dcgm.engine", "0");
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                TextPage page = agent.page();
                assertThat(page.value("lapwing_dcgm_up")).contains(0.0);
                assertThat(page.value("lapwing_collector_success", "collector", "dcgm"))
                    .contains(0.0);
                assertThat(page.samples(SM_ACTIVE)).isEmpty();
                assertThat(page.samples("DCGM_FI_DEV_GPU_TEMP")).hasSize(GPUS);
                assertThat(reasons(agent)).containsExactly("none connection_not_valid");
              });
      node.set("dcgm.engine", "1");
      awaitActivity(agent);
    }
  }

  @Test
  void anEngineThatHangsCostsItsOwnFamiliesUntilItAnswers() throws Exception {
    SimulatedNode node = node();
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      awaitActivity(agent);

      node.set("system.block.dcgmEntitiesGetLatestValues", "forever");
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                TextPage page = agent.page();
                assertThat(page.value("lapwing_source_hung", "source", "dcgm")).contains(1.0);
                assertThat(page.value("lapwing_dcgm_up")).contains(0.0);
                assertThat(page.samples(SM_ACTIVE)).isEmpty();
                assertThat(page.samples("DCGM_FI_DEV_GPU_TEMP")).hasSize(GPUS);
                assertThat(page.samples("lapwing_gpu_up")).allMatch(up -> up.value() == 1);
                assertThat(reasons(agent)).containsExactly("none stale");
              });
      node.clear("system.block.dcgmEntitiesGetLatestValues");
      awaitActivity(agent);
    }
  }

  private static void awaitPage(TestAgent agent, ThrowingConsumer<TextPage> assertions) {
    await()
        .atMost(TestAgent.PATIENCE)
        .untilAsserted(() -> assertThat(agent.page()).satisfies(assertions));
  }

  private static List<String> healthInfo(TextPage page) {
    return page.samples("lapwing_gpu_dcgm_health_info").stream()
        .map(sample -> sample.label("source") + " " + sample.label("reason"))
        .distinct()
        .toList();
  }

  /** What passes is exposed after a minute. */
  @Test
  void healthWatchesAreExposedInThePresetStandard() throws Exception {
    SimulatedNode node = node();
    try (TestAgent standard = TestAgent.quick(node, ENGINE[0], "--metrics=standard");
        TestAgent minimal = TestAgent.quick(node, ENGINE[0], "--metrics=minimal")) {
      awaitPage(
          standard,
          page -> {
            assertThat(page.samples(HEALTH)).hasSize(1);
            TextPage.Sample failed = page.samples(HEALTH).get(0);
            assertThat(failed.value()).isEqualTo(20);
            assertThat(failed.label("gpu")).isEqualTo("3");
            assertThat(failed.label("health_watch")).isEqualTo("MEM");
            assertThat(failed.label("health_error_code")).isEqualTo("DCGM_FR_FAULTY_MEMORY");
          });
      awaitPage(
          minimal,
          page ->
              assertThat(page.value("lapwing_collector_success", "collector", "dcgm_health"))
                  .contains(1.0));
      assertThat(names(minimal.page())).doesNotContain(HEALTH);
    }
  }

  @Test
  void aHealthModuleThatHangsOrRefusesCostsItsResultsOnly() throws Exception {
    SimulatedNode node = node();
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      awaitPage(agent, page -> assertThat(page.samples(HEALTH)).hasSize(1));

      node.set("system.block.dcgmHealthCheck", "forever");
      awaitPage(
          agent,
          page -> {
            assertThat(page.value("lapwing_source_hung", "source", "dcgm_health")).contains(1.0);
            assertThat(page.samples(HEALTH)).isEmpty();
            assertThat(healthInfo(page)).containsExactly("none stale");
            assertThat(page.samples(SM_ACTIVE)).hasSize(GPUS);
            assertThat(page.value("lapwing_dcgm_up")).contains(1.0);
          });
      node.setAll(Map.of("system.return.dcgmHealthSet_v2", "33", "dcgm.generation", "1"));
      node.clear("system.block.dcgmHealthCheck");
      awaitPage(
          agent,
          page -> {
            assertThat(healthInfo(page)).containsExactly("none module_not_loaded");
            assertThat(page.value("lapwing_collector_success", "collector", "dcgm_health"))
                .contains(0.0);
            assertThat(page.samples(SM_ACTIVE)).hasSize(GPUS);
          });
      node.clear("system.return.dcgmHealthSet_v2");
      awaitPage(agent, page -> assertThat(page.samples(HEALTH)).hasSize(1));
    }
  }

  @Test
  void aPolicyModuleThatHangsCostsItsSeriesOnly() throws Exception {
    SimulatedNode node = node();
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      awaitPage(
          agent, page -> assertThat(page.value(VIOLATIONS, "condition", "XID")).contains(0.0));
      node.set("dcgm.violation.1", "3 0x40");
      awaitPage(
          agent, page -> assertThat(page.value(VIOLATIONS, "condition", "XID")).contains(1.0));

      node.set("system.block.dcgmPolicyGet", "forever");
      awaitPage(
          agent,
          page -> {
            assertThat(page.value("lapwing_source_hung", "source", "dcgm_policy")).contains(1.0);
            assertThat(page.samples(VIOLATIONS)).isEmpty();
            assertThat(page.samples(HEALTH)).hasSize(1);
            assertThat(page.samples(SM_ACTIVE)).hasSize(GPUS);
            assertThat(page.value("lapwing_dcgm_up")).contains(1.0);
          });
      node.clear("system.block.dcgmPolicyGet");
      awaitPage(
          agent, page -> assertThat(page.value(VIOLATIONS, "condition", "XID")).contains(1.0));
    }
  }

  /** The finding opens after half a minute. */
  @Tag("slow")
  @Test
  void whatOnlyDcgmSeesDegradesTheNodeAndWhatNvmlSeesToo() throws Exception {
    SimulatedNode node = node();
    node.set("gpu.5.rows.failure", "1");
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(agent.wiring().health().report().findings())
                      .filteredOn(finding -> finding.subject() instanceof Subject.Gpu)
                      .extracting(
                          finding ->
                              finding.rule()
                                  + " "
                                  + finding.disposition().severity().text()
                                  + " "
                                  + finding.disposition().action().text())
                      .containsExactlyInAnyOrder(
                          "row_remap_failure failing replace_node",
                          "dcgm_health_mem degraded watch",
                          "dcgm_health_mem info none"));
    }
  }

  @Test
  void aNodeWithGraceHasItsCpusTheirLinksAndImex() throws Exception {
    SimulatedNode grace =
        SimulatedNode.create(dir, InstanceType.named("p6e-gb200.36xlarge").withoutEfa());
    try (TestAgent agent = TestAgent.quick(grace, ENGINE)) {
      awaitPage(
          agent,
          page -> {
            assertThat(page.samples("DCGM_FI_DEV_CPU_UTIL_TOTAL"))
                .extracting(TextPage.Sample::labels)
                .containsExactly(
                    Map.of("cpu", "0", "Hostname", "node-1"),
                    Map.of("cpu", "1", "Hostname", "node-1"));
            assertThat(page.value("lapwing_imex_domain_state", "state", "UP")).contains(1.0);
            assertThat(page.value("lapwing_imex_daemon_state", "state", "READY")).contains(1.0);
            assertThat(page.samples("lapwing_gpu_c2c_links_up"))
                .hasSize(4)
                .allMatch(sample -> sample.value() == 5);
            assertThat(page.samples("DCGM_FI_PROF_C2C_TX_ALL_BYTES")).hasSize(4);
          });
    }
  }

  /** GPU 0 is divided; its page is that of a Hopper GPU with MIG. */
  @Test
  void instancesOfADividedGpuHaveTheirActivity() throws Exception {
    SimulatedNode node = node();
    node.setAll(
        Map.of(
            "gpu.0.mig.mode", "1",
            "gpu.0.mig.instances", "3:4g.20gb@0*0.5 9:1g.5gb@6*0.25"));
    try (TestAgent agent = TestAgent.quick(node, ENGINE)) {
      awaitPage(
          agent,
          page -> {
            assertThat(page.samples(SM_ACTIVE)).hasSize(GPUS - 1 + 2);
            assertThat(ofInstances(page, SM_ACTIVE))
                .containsExactly("0 4g.20gb 3 0.20", "0 1g.5gb 9 0.10");
            assertThat(page.samples("lapwing_gpu_instance_sm_active_seconds_total"))
                .hasSize(2)
                .allMatch(sum -> sum.value() > 0);
            assertThat(page.samples(SM_SECONDS)).hasSize(GPUS);
          });

      node.set("gpu.0.mig.instances", "9:1g.5gb@6*0.25");
      awaitPage(
          agent,
          page -> {
            assertThat(ofInstances(page, SM_ACTIVE)).containsExactly("0 1g.5gb 9 0.10");
            assertThat(page.samples(SM_ACTIVE)).hasSize(GPUS);
          });
    }
    try (TestAgent without = TestAgent.quick(node)) {
      awaitPage(without, page -> assertThat(page.samples("lapwing_gpu_instance_info")).hasSize(1));
      assertThat(names(without.page()))
          .doesNotContain(SM_ACTIVE, "lapwing_gpu_instance_sm_active_seconds_total");
    }
  }

  private static List<String> ofInstances(TextPage page, String family) {
    return page.samples(family).stream()
        .filter(sample -> sample.labels().containsKey("GPU_I_ID"))
        .map(
            sample ->
                String.format(
                    Locale.ROOT,
                    "%s %s %s %.2f",
                    sample.label("gpu"),
                    sample.label("GPU_I_PROFILE"),
                    sample.label("GPU_I_ID"),
                    sample.value()))
        .toList();
  }

  /** A field file names two of the fields. One agent after the other: a process has one agent. */
  @Test
  void linksOfSwitchesAreOnThePageWhereTheyAreAskedFor() throws Exception {
    SimulatedNode node = node();
    node.setAll(Map.of("dcgm.link.2.5.status", "3", "dcgm.link.2.5.crc", "7"));
    Path fields =
        Files.writeString(
            dir.resolve("fields.csv"),
            """
            DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS, counter, CRC errors of a link
            DCGM_FI_DEV_NVSWITCH_TEMP_CELSIUS, gauge, Temperature of a switch
            """);
    try (TestAgent full = TestAgent.quick(node, ENGINE)) {
      awaitPage(
          full,
          page -> {
            assertThat(page.samples("DCGM_FI_DEV_NVSWITCH_LINK_STATUS")).hasSize(6 * 16);
            assertThat(page.samples("DCGM_FI_DEV_NVSWITCH_LINK_STATUS"))
                .filteredOn(sample -> sample.value() != 2)
                .extracting(TextPage.Sample::labels)
                .containsExactly(
                    Map.of("nvlink", "5", "nvswitch", "nvswitch2", "Hostname", "node-1"));
          });
    }
    try (TestAgent some = TestAgent.quick(node, ENGINE[0], "--gpu.fields=" + fields)) {
      awaitPage(
          some,
          page -> {
            assertThat(page.samples("DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS"))
                .hasSize(6 * 16)
                .filteredOn(sample -> sample.value() == 7)
                .hasSize(1);
            assertThat(page.samples("DCGM_FI_DEV_NVSWITCH_TEMPERATURE_CURRENT")).hasSize(6);
          });
      assertThat(names(some.page())).doesNotContain("DCGM_FI_DEV_NVSWITCH_LINK_STATUS");
    }
    try (TestAgent standard = TestAgent.quick(node, ENGINE[0], "--metrics=standard")) {
      awaitPage(
          standard,
          page -> {
            assertThat(page.value("lapwing_collector_success", "collector", "nvswitch_links"))
                .contains(1.0);
            assertThat(names(page)).contains("DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS");
          });
      assertThat(names(standard.page()))
          .noneMatch(name -> name.startsWith("DCGM_FI_DEV_NVSWITCH_LINK"));
    }
  }

  @Test
  void aNodeWithGpmKeepsGpmAndHasItsSwitches() throws Exception {
    SimulatedNode hopper =
        SimulatedNode.create(dir, InstanceType.named("p5.48xlarge").withoutEfa());
    hopper.setAll(Map.of("dcgm.switches", "4", "dcgm.switch.3.fatal", "20034"));
    try (TestAgent agent = TestAgent.quick(hopper, ENGINE)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> {
                TextPage page = agent.page();
                assertThat(page.samples(SM_ACTIVE)).hasSize(GPUS);
                assertThat(page.samples("DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS"))
                    .extracting(TextPage.Sample::labels)
                    .containsExactly(Map.of("nvswitch", "nvswitch3", "Hostname", "node-1"));
              });
      assertThat(names(agent.page()))
          .contains("lapwing_dcgm_info")
          .doesNotContain("lapwing_gpu_activity_info", "lapwing_dcgm_sample_timestamp_seconds");
    }
  }
}
