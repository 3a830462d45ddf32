package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGHUP and --check-config, as systemd and a deployment use them. */
@Tag("slow")
class ReloadProcessTest {

  private static final String QUICK = "cadence: {fast: 500ms, medium: 500ms, slow: 1s}\n";
  private static final String FALLEN =
      "pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

  private final Path dir;
  private final Path file;
  private final KmsgFile kmsg;

  ReloadProcessTest(@TempDir Path dir) throws Exception {
    this.dir = dir;
    this.file = dir.resolve("lapwing.yml");
    this.kmsg = KmsgFile.beside(dir);
  }

  private List<String> words(String... more) {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    List<String> words = new ArrayList<>(List.of("agent"));
    words.addAll(node.agentArguments());
    kmsg.in(words, dir.resolve("state"));
    words.addAll(List.of("--web.listen-address=127.0.0.1:0", "--config.file=" + file));
    words.addAll(List.of(more));
    return words;
  }

  private static void until(Callable<Boolean> so) {
    await().atMost(TestAgent.PATIENCE).until(so);
  }

  @Test
  void aStormOfSighupsUnderLoadLosesNothingDoublesNothingAndEndsWithTheLastFile() throws Exception {
    Files.writeString(file, QUICK);
    try (AgentProcess agent = AgentProcess.start(dir, words())) {
      FaultyAgent.awaitReady(agent);
      kmsg.append(FaultyAgent.xid(2, 79, FALLEN));
      FaultyAgent.awaitVerdict(agent, "failing");
      Map<String, Double> found = FaultyAgent.findings(FaultyAgent.page(agent));

      for (int i = 0; i < 60; i++) {
        Files.writeString(
            file,
            switch (i % 3) {
              case 0 -> QUICK + "collector.gpu_power: false\nlog.format: json\n";
              case 1 -> QUICK + "lustre.targets: full\nhealth.profile: nvidia\n";
              default -> "cadence: {fast: never}\n";
            });
        agent.hangUp();
        kmsg.append(FaultyAgent.xid(3, 94, "pid=1234, name=python, Contained: SM (0x1)."));
        assertThat(FaultyAgent.page(agent).samples("lapwing_build_info")).hasSize(1);
      }
      Files.writeString(file, QUICK + "web.max-requests: 7\n");
      agent.hangUp();

      until(() -> agent.err().contains("key=web.max-requests from=40 to=7"));
      until(() -> reloaded(agent).equals(List.of(1.0)));
      FaultyAgent.awaitEvaluation(agent);
      TextPage page = FaultyAgent.page(agent);
      assertThat(FaultyAgent.findings(page)).containsAllEntriesOf(found);
      assertThat(FaultyAgent.xids(page)).containsEntry("2 79", 1.0).containsEntry("3 94", 60.0);
      assertThat(page.samples("DCGM_FI_DEV_POWER_USAGE")).hasSize(8);
      assertThat(agent.get("/api/v1/events?kind=finding_opened").body()).containsOnlyOnce("xid_79");
      assertThat(agent.err()).contains("'never' is not a duration", "not reloaded");
      assertThat(agent.err()).doesNotContain("Exception");

      agent.terminate();
      assertThat(agent.exitCode()).isIn(0, 143);
    }
  }

  private static List<Double> reloaded(AgentProcess agent) {
    return FaultyAgent.page(agent).samples("lapwing_config_last_reload_successful").stream()
        .map(TextPage.Sample::value)
        .toList();
  }

  @Test
  void whatTakesARestartIsNamedAndKeepsItsValue() throws Exception {
    Files.writeString(file, QUICK + "web.telemetry-path: /metrics\n");
    try (AgentProcess agent = AgentProcess.start(dir, words())) {
      FaultyAgent.awaitReady(agent);
      Files.writeString(file, QUICK + "web.telemetry-path: /other\nlog.level: debug\n");
      agent.hangUp();

      until(() -> agent.err().contains("configuration reloaded"));
      assertThat(agent.err())
          .contains(
              "requires a restart of the agent\" key=web.telemetry-path current=/metrics"
                  + " requested=/other",
              "msg=changed key=log.level from=info to=debug");
      assertThat(agent.get("/metrics").statusCode()).isEqualTo(200);
      assertThat(agent.get("/other").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void anIgnoredSighupIsLoggedOnceAndTheAgentRunsOn() throws Exception {
    Files.writeString(file, QUICK);
    try (AgentProcess agent = AgentProcess.startWithSighupIgnored(dir, words())) {
      FaultyAgent.awaitReady(agent);
      Files.writeString(file, QUICK + "web.max-requests: 7\n");
      agent.hangUp();

      FaultyAgent.awaitEvaluation(agent);
      assertThat(agent.err())
          .containsOnlyOnce(
              "reload by SIGHUP is not available; restart the agent to change its configuration\""
                  + " reason=\"SIGHUP was ignored at the start, as under nohup\"")
          .doesNotContain("configuration reloaded");
      assertThat(agent.get("/metrics").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aCheckReportsAllMistakesOfAllFilesAndStartsNothing() throws Exception {
    Path policy = Files.writeString(dir.resolve("policy.yml"), "rules: {gpu_lst: {}}\n");
    Path web =
        Files.writeString(
            dir.resolve("web.yml"),
            "tls_server_config: {cert_file: none.crt, key_file: none.key}\nrate_limits: {}\n");
    Path fields = Files.writeString(dir.resolve("fields.csv"), "GPU_TMP, gauge, A.\n");
    Files.writeString(
        file,
        "log.level: loud\nhealth.policy: %s\ngpu.fields: %s\nweb.config.file: %s\n"
            .formatted(policy, fields, web));
    try (AgentProcess agent = AgentProcess.start(dir, words("--check-config"))) {
      assertThat(agent.exitCode()).isEqualTo(2);
      assertThat(agent.out()).isEmpty();
      assertThat(agent.err().lines())
          .hasSize(4)
          .anySatisfy(line -> assertThat(line).contains(file + ":1: log.level: 'loud'"))
          .anySatisfy(line -> assertThat(line).contains(policy + ":1: rules.gpu_lst: unknown rule"))
          .anySatisfy(line -> assertThat(line).contains(fields + ":1: GPU_TMP"))
          .anySatisfy(line -> assertThat(line).contains(web + ":2: rate_limits: unknown key"));
    }
    assertThat(dir.resolve("state")).doesNotExist();
  }

  @Test
  void aSoundConfigurationIsPrintedWithWhereEachValueComesFrom() throws Exception {
    Files.writeString(file, "version: 1\nlog:\n  level: warn\ncollector.gpu_ecc: false\n");
    Path fields = Files.writeString(dir.resolve("f.csv"), "DCGM_FI_DEV_GPU_TMP, gauge, A.\n");
    try (AgentProcess agent =
        AgentProcess.start(dir, words("--check-config", "--gpu.fields=" + fields))) {
      assertThat(agent.exitCode()).as(agent.err()).isZero();
      assertThat(agent.err()).isEmpty();
      assertThat(agent.out())
          .startsWith("the configuration is valid\n")
          .contains(
              "  log.level = warn  (" + file + ":3)\n",
              "  web.listen-address = 127.0.0.1:0  (flag --web.listen-address)\n",
              "  policy: profile aws; XIDs changed: 0, rules changed: 0\n",
              "  warning: "
                  + fields
                  + ":1: DCGM_FI_DEV_GPU_TMP is not a DCGM field that Lapwing"
                  + " knows; did you mean DCGM_FI_DEV_GPU_TEMP?\n",
              "  collectors that are off: gpu_ecc\n",
              "  web configuration: none (plain HTTP, no authentication)\n");
    }
    assertThat(dir.resolve("state")).doesNotExist();
  }
}
