package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.health.Profile;
import io.lapwing.agent.preset.Preset;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.log.LogFormat;
import io.lapwing.common.log.LogLevel;
import io.lapwing.common.log.LogSettings;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.node.Platform;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReaderTest {
  private static final List<CollectorSwitch> COLLECTORS =
      List.of(
          new CollectorSwitch("gpu-ecc", true, "ECC error counts."),
          new CollectorSwitch("gpu-processes", false, "Processes on each GPU."));

  private final Path folder;

  SettingsReaderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void anEmptyCommandLineGivesTheDefaults() throws Exception {
    Settings settings = settings(List.of("--node.hostname=node-7"), Map.of());

    assertThat(settings)
        .isEqualTo(
            new Settings(
                new Settings.Web(
                    List.of(new ListenAddress("", 9754)),
                    "/metrics",
                    40,
                    true,
                    Optional.empty(),
                    false,
                    Optional.of(Path.of("/run/lapwing/agent/agent.sock")),
                    Settings.Guard.OPEN),
                new Settings.Paths(
                    Path.of("/sys"),
                    Path.of("/proc"),
                    Path.of("/"),
                    Path.of("/dev/kmsg"),
                    Path.of("/var/lib/lapwing")),
                new Settings.Cadence(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(5)),
                new Settings.Gpu(
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    List.of("Hostname"),
                    Settings.LabelSet.FULL,
                    Duration.ofMinutes(5),
                    new Settings.Dcgm(DcgmMode.OFF, Optional.empty())),
                new Settings.Collectors(Set.of("gpu-ecc")),
                Preset.STANDARD,
                new Settings.Health(
                    Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalInt.empty()),
                new LogSettings(LogLevel.INFO, LogFormat.LOGFMT),
                new Settings.Node(
                    "node-7",
                    "",
                    "",
                    Optional.of(URI.create("http://169.254.169.254")),
                    false,
                    List.of()),
                Settings.LustreTargets.SUMMARY,
                new Settings.Workload(
                    Path.of("/run/lapwing/steps"),
                    new Settings.Jobs(
                        Path.of("/run/slurm/dcgm-job-mapping"),
                        Path.of("/var/lib/kubelet/pod-resources/kubelet.sock"),
                        Path.of("/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"),
                        false,
                        false),
                    InferenceTargets.OFF,
                    Optional.empty(),
                    Optional.empty()),
                Settings.Guide.NONE,
                false));
  }

  @Test
  void theHealthProfileIsUnsetUntilItIsConfigured() throws Exception {
    Settings.Health given =
        settings(
                List.of("--health.expected-gpus=7", "--health.expected-efa-devices=16"),
                Map.of("LAPWING_HEALTH_PROFILE", "nvidia"))
            .health();

    assertThat(given.profile()).contains(Profile.NVIDIA);
    assertThat(given.expectedGpus()).hasValue(7);
    assertThat(given.expectedEfaDevices()).hasValue(16);
    assertThat(settings(List.of("--health.profile=aws"), Map.of()).health().profile())
        .as("the default, asked for by name")
        .contains(Profile.AWS);
    assertThat(settings(List.of("--health.expected-gpus=auto"), Map.of()).health().expectedGpus())
        .isEmpty();
  }

  @Test
  void aPlatformIsOneOfTheKnownOnes() throws Exception {
    assertThat(settings(List.of("--node.platform=karpenter"), Map.of()).guide().platform())
        .contains(Platform.KARPENTER);
    assertThat(settings(List.of("--node.platform=auto"), Map.of()).guide().platform()).isEmpty();
    assertThatThrownBy(() -> settings(List.of("--node.platform=gke"), Map.of()))
        .hasMessageContaining("'gke' is not one of auto, slurm, parallelcluster, pcs,");
  }

  @Test
  void aLinkIsAUrlOfTheWeb() throws Exception {
    String dashboard =
        "https://grafana.example.com:3000/d/node?var-instance={hostname}&from=now-6h";
    assertThat(settings(List.of("--web.dashboard-url=" + dashboard), Map.of()).guide().dashboard())
        .isEqualTo(dashboard);
    assertThat(
            settings(List.of("--web.runbook-url=https://wiki.example.com/runbooks/"), Map.of())
                .guide()
                .runbooks())
        .isEqualTo("https://wiki.example.com/runbooks/");
    for (String wrong :
        List.of("javascript:alert(1)", "//evil", "https://a b", "https://a/<b>", "wiki/runbooks")) {
      assertThatThrownBy(() -> settings(List.of("--web.runbook-url=" + wrong), Map.of()))
          .as(wrong)
          .hasMessageContaining("web.runbook-url");
    }
  }

  @Test
  void unitsHaveFullNames() throws Exception {
    List<String> flags =
        List.of("--node.units=slurmd, kubelet.service", "--node.units=a@b.socket,slurmd");
    assertThat(settings(flags, Map.of()).node().units())
        .containsExactly("slurmd.service", "kubelet.service", "a@b.socket");
    assertThat(settings(List.of(), Map.of()).node().units()).isEmpty();
    assertThatThrownBy(() -> settings(List.of("--node.units=../../etc/passwd"), Map.of()))
        .hasMessageContaining("node.units");
  }

  @Test
  void theNodesIdentityAndMetadataUrlCanBeSet() throws Exception {
    Settings.Node given =
        settings(
                List.of(
                    "--node.hostname=n",
                    "--node.instance-type=ml.p5.48xlarge",
                    "--node.instance-id=i-1",
                    "--imds.url=http://[fd00:ec2::254]"),
                Map.of())
            .node();

    assertThat(given)
        .isEqualTo(
            new Settings.Node(
                "n",
                "ml.p5.48xlarge",
                "i-1",
                Optional.of(URI.create("http://[fd00:ec2::254]")),
                true,
                List.of()));
    assertThat(settings(List.of("--imds.url=off"), Map.of()).node().imds()).isEmpty();
    assertThat(settings(List.of("--imds.url="), Map.of()).node().imds()).isEmpty();
    assertThat(settings(List.of("--imds.url=http://127.0.0.1:1338"), Map.of()).node().imds())
        .contains(URI.create("http://127.0.0.1:1338"));
  }

  @ParameterizedTest
  @CsvSource({
    // flag, variable, file, what holds
    "    ,    ,    , 40",
    "    ,    ,  3 ,  3",
    "    ,  2 ,    ,  2",
    "    ,  2 ,  3 ,  2",
    "  1 ,    ,    ,  1",
    "  1 ,    ,  3 ,  1",
    "  1 ,  2 ,    ,  1",
    "  1 ,  2 ,  3 ,  1",
  })
  void aFlagComesBeforeAVariableAndAVariableBeforeTheFile(
      String flag, String variable, String file, int holds) throws Exception {
    List<String> args = new ArrayList<>();
    if (file != null) {
      args.add("--config.file=" + file("web.max-requests: " + file));
    }
    if (flag != null) {
      args.add("--web.max-requests=" + flag);
    }
    Map<String, String> variables =
        variable == null ? Map.of() : Map.of("LAPWING_WEB_MAX_REQUESTS", variable);

    assertThat(settings(args, variables).web().maxRequests()).isEqualTo(holds);
  }

  @Test
  void anEmptyVariableCountsAsNotSet() throws Exception {
    assertThat(settings(List.of(), Map.of("LAPWING_WEB_MAX_REQUESTS", "")).web().maxRequests())
        .isEqualTo(40);
  }

  @Test
  void theFileMayBeNamedByAVariable() throws Exception {
    Path file = file("log.level: debug");

    Settings settings = settings(List.of(), Map.of("LAPWING_CONFIG_FILE", file.toString()));

    assertThat(settings.log().level()).isEqualTo(LogLevel.DEBUG);
  }

  @Test
  void listenAddressesAddUpOnTheCommandLineAndAreListsElsewhere() throws Exception {
    List<ListenAddress> two =
        List.of(new ListenAddress("127.0.0.1", 0), new ListenAddress("::1", 9754));

    assertThat(
            settings(
                    List.of(
                        "--web.listen-address=127.0.0.1:0", "--web.listen-address", "[::1]:9754"),
                    Map.of())
                .web()
                .listenAddresses())
        .isEqualTo(two);
    assertThat(
            settings(List.of(), Map.of("LAPWING_WEB_LISTEN_ADDRESS", "127.0.0.1:0, [::1]:9754"))
                .web()
                .listenAddresses())
        .isEqualTo(two);
    assertThat(
            settings(
                    List.of(
                        "--config.file="
                            + file("web: {listen-address: ['127.0.0.1:0', '[::1]:9754']}")),
                    Map.of())
                .web()
                .listenAddresses())
        .isEqualTo(two);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                                             | gpu-ecc",
        "--no-collector.gpu-ecc                                       |",
        "--collector.gpu-ecc=false                                    |",
        "--collector.gpu-processes                                    | gpu-ecc gpu-processes",
        "--collector.disable-defaults                                 |",
        "--collector.disable-defaults --collector.gpu-processes       | gpu-processes",
        "--collector.disable-defaults --collector.gpu-ecc             | gpu-ecc",
      })
  void collectorsAreSwitchedByName(String args, String enabled) throws Exception {
    Settings.Collectors collectors =
        settings(args == null ? List.of() : List.of(args.split(" +")), Map.of()).collectors();

    assertThat(collectors.enabled())
        .containsExactlyInAnyOrder(enabled == null ? new String[0] : enabled.split(" "));
  }

  @Test
  void aCollectorsVariableAndKeySwitchItToo() throws Exception {
    assertThat(
            settings(List.of(), Map.of("LAPWING_COLLECTOR_GPU_ECC", "false"))
                .collectors()
                .enabled("gpu-ecc"))
        .isFalse();
    assertThat(
            settings(List.of("--config.file=" + file("collector: {gpu-processes: true}")), Map.of())
                .collectors()
                .enabled("gpu-processes"))
        .isTrue();
  }

  @Test
  void theNodeIsNamedByKubernetesElseByTheKernelElseByTheShell() throws Exception {
    Path procfs = Files.createDirectories(folder.resolve("proc/sys/kernel"));
    List<String> args = List.of("--path.procfs=" + folder.resolve("proc"));

    assertThat(settings(args, Map.of("HOSTNAME", "shell")).hostname()).isEqualTo("shell");
    Files.writeString(procfs.resolve("hostname"), "kernel\n");
    assertThat(settings(args, Map.of("HOSTNAME", "shell")).hostname()).isEqualTo("kernel");
    assertThat(settings(args, Map.of("NODE_NAME", "kube")).hostname()).isEqualTo("kube");
    assertThat(
            settings(args, Map.of("NODE_NAME", "kube", "LAPWING_NODE_HOSTNAME", "own")).hostname())
        .isEqualTo("own");
  }

  @Test
  void helpComesBeforeAnyProblem() throws Exception {
    SettingsReader.Invocation invocation =
        SettingsReader.read(List.of("--nonsense", "--help"), Map.of(), COLLECTORS);

    assertThat(invocation).isInstanceOf(SettingsReader.Invocation.Help.class);
    assertThat(((SettingsReader.Invocation.Help) invocation).text())
        .contains(
            "      --web.listen-address=ADDRESS ...",
            "(default: :9754)",
            "--[no-]web.disable-exporter-metrics",
            "ECC error counts.\n",
            "--[no-]collector.gpu-processes",
            "Processes on each GPU. (disabled)");
  }

  @Test
  void theVersionFlagReturnsTheVersion() throws Exception {
    assertThat(SettingsReader.read(List.of("--version"), Map.of(), COLLECTORS))
        .isEqualTo(new SettingsReader.Invocation.Version());
  }

  @Test
  void anUnknownVariableOfOursIsAWarningUnlessAnotherPartReadsIt() throws Exception {
    Map<String, String> variables =
        Map.of(
            "LAPWING_WEB_MAX_REQUEST", "3",
            "LAPWING_SIM_STATE", "/tmp/state",
            "LAPWING_STEPS_DIR", "/run/steps",
            "OTHER", "x");

    assertThat(
            ((SettingsReader.Invocation.Run) SettingsReader.read(List.of(), variables, COLLECTORS))
                .warnings())
        .containsExactly(
            "environment LAPWING_WEB_MAX_REQUEST: unknown; did you mean LAPWING_WEB_MAX_REQUESTS?");
  }

  @Test
  void allProblemsAreReportedTogether() throws Exception {
    Path file = file("web:\n  max-request: 3\nlog: {level: loud}\n");

    assertThatThrownBy(
            () ->
                settings(
                    List.of("--config.file=" + file, "--cadence.fast=5x", "--once=maybe", "extra"),
                    Map.of("LAPWING_POLL_DEADLINE", "soon")))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .containsExactlyInAnyOrder(
                        file + ":2: web.max-request: unknown key; did you mean web.max-requests?",
                        "command line: 'extra' is not a flag",
                        file + ":3: log.level: 'loud' is not one of debug, info, warn, error",
                        "environment LAPWING_POLL_DEADLINE: 'soon' is not a duration such as"
                            + " 500ms, 5s or 1m",
                        "flag --cadence.fast: '5x' is not a duration such as 500ms, 5s or 1m",
                        "flag --once: 'maybe' is neither true nor false"));
  }

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("lapwing.yml"), text);
  }

  private static Settings settings(List<String> args, Map<String, String> variables)
      throws ConfigException {
    return ((SettingsReader.Invocation.Run) SettingsReader.read(args, variables, COLLECTORS))
        .settings();
  }
}
