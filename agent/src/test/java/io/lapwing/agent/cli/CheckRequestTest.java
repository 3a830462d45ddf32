package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.cli.Check.ExitCode;
import io.lapwing.agent.health.Verdict;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.node.Platform;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckRequestTest {

  @Test
  void flagsOfTheAgentAreKeptForIt() throws Exception {
    CheckRequest request =
        CheckRequest.parse(List.of("--brief", "--web.listen-address=:1", "--url=http://n7:9754/"));

    assertThat(request.form()).isEqualTo(CheckRequest.Form.BRIEF);
    assertThat(request.url().orElseThrow().toString()).isEqualTo("http://n7:9754");
    assertThat(request.agentFlags().words()).containsExactly("--web.listen-address=:1");
  }

  @Test
  void briefAndJsonAtOnceAreRefused() {
    assertThatThrownBy(() -> CheckRequest.parse(List.of("--json", "--brief")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("flag --brief: given together with --json");
  }

  @Test
  void offlineAndAnAddressAtOnceAreRefused() {
    assertThatThrownBy(() -> CheckRequest.parse(List.of("--offline", "--url=http://n7:9754")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("flag --offline: given together with --url");
  }

  /** A single look misses what takes time, and must not give a node back. */
  @Test
  void offlineIsNoAdviceForAScheduler() {
    assertThatThrownBy(() -> CheckRequest.parse(List.of("--offline", "--scheduler")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("flag --offline: given together with --scheduler");
  }

  @Test
  void aPlatformIsForCommands() throws Exception {
    assertThat(CheckRequest.parse(List.of("--commands", "--platform=karpenter")).platform())
        .contains(Platform.KARPENTER);
    assertThat(CheckRequest.parse(List.of("--commands")).platform()).isEmpty();
    assertThatThrownBy(() -> CheckRequest.parse(List.of("--platform=karpenter")))
        .hasMessage("flag --platform: needs --commands");
    assertThatThrownBy(() -> CheckRequest.parse(List.of("--commands", "--platform=gke")))
        .hasMessageStartingWith("flag --platform: 'gke' is not one of slurm, parallelcluster,");
    assertThatThrownBy(() -> CheckRequest.parse(List.of("--commands", "--json")))
        .hasMessage("flag --commands: given together with --json");
  }

  @ParameterizedTest
  @CsvSource({
    "http://node7:9754, http://node7:9754/api/v1/health, false",
    "http://node7:9754/, http://node7:9754/api/v1/health, false",
    "http://node7:9754/api/v1/health, http://node7:9754/api/v1/health, false",
    "https://proxy/node7, https://proxy/node7/api/v1/health, false",
    "http://127.0.0.1:9754, http://127.0.0.1:9754/api/v1/health, true",
    "http://localhost:9754, http://localhost:9754/api/v1/health, true",
    "http://[::1]:9754, http://[::1]:9754/api/v1/health, true",
  })
  void anAddressHasAHealthUrl(String url, String health, boolean thisMachine) throws Exception {
    assertThat(AgentAddress.parse(url).page(AgentAddress.HEALTH).toString()).isEqualTo(health);
    assertThat(AgentAddress.parse(url).thisMachine()).isEqualTo(thisMachine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unix:agent.sock",
        "node7",
        "node7:9754",
        "ftp://node7",
        "file:///etc/passwd",
        "http://"
      })
  void anInvalidAddressIsRefused(String url) {
    assertThatThrownBy(() -> AgentAddress.parse(url))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "flag --url: '" + url + "' is not an address such as http://node7:9754 or unix:/PATH");
  }

  @Test
  void whatIsNoUrlIsNotRepeated() {
    assertThatThrownBy(() -> AgentAddress.parse("http://a b"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "flag --url: '[redacted]' is not an address such as http://node7:9754 or unix:/PATH");
  }

  @Test
  void aUnixSocketIsOfThisMachine() throws Exception {
    AgentAddress address = AgentAddress.parse("unix:/no/such/agent.sock");

    assertThat(address.socket()).hasValue(Path.of("/no/such/agent.sock"));
    assertThat(address.thisMachine()).isTrue();
    assertThat(address.toString()).isEqualTo("unix:/no/such/agent.sock");
  }

  @ParameterizedTest
  @CsvSource({
    ":9754, http://127.0.0.1:9754",
    "0.0.0.0:9755, http://127.0.0.1:9755",
    "[::]:9754, http://127.0.0.1:9754",
    "[::1]:9754, http://[::1]:9754",
    "10.1.2.3:9754, http://10.1.2.3:9754",
    "127.0.0.1:0 127.0.0.1:9756, http://127.0.0.1:9756",
  })
  void theAddressIsAListenAddressOfTheAgent(String addresses, String base) {
    List<ListenAddress> listen =
        Arrays.stream(addresses.split(" "))
            .map(text -> ListenAddress.parse(text).orElseThrow())
            .toList();

    AgentAddress address = AgentAddress.of(listen, false).orElseThrow();

    assertThat(address.toString()).isEqualTo(base);
    assertThat(address.thisMachine()).isTrue();
  }

  @Test
  void aFreePortHasNoAddress() {
    assertThat(AgentAddress.of(List.of(new ListenAddress("", 0)), false)).isEmpty();
  }

  @Test
  void everyVerdictHasItsExitCodeAndTheHelpNamesThem() {
    assertThat(Arrays.stream(Verdict.values()).map(ExitCode::of)).containsExactly(0, 1, 3, 2);
    assertThat(CheckRequest.HELP)
        .contains("0   healthy", "1   degraded", "2   failing", "3   unknown", "64  usage error");
  }
}
