package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.lapwing.rules.promql.Promql;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped configuration of Alertmanager, asked of its own tool. */
class AlertmanagerTest {

  private static final Program AMTOOL = new Program("amtool");
  private static final Path SAMPLE = Path.of("src", "test", "resources", "alerts", "two.json");

  @Test
  void alertmanagerTakesIt() throws Exception {
    AMTOOL.run(List.of("check-config", Routing.FILE.toString()));
    AMTOOL.run(List.of("check-config", Routing.AUTOMATED.toString()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alertname=LapwingXid severity=critical action=replace_node scope=xid|automation,page",
        "alertname=LapwingXid severity=critical action=replace_node scope=xid test=1|page",
        "alertname=LapwingXid severity=critical action=replace_node scope=xid confirmed=0|page",
        "alertname=LapwingXid severity=critical action=reset_gpu scope=xid|automation,page",
        "alertname=LapwingXid severity=critical action=reset_gpu scope=xid confirmed=0|page",
        "alertname=LapwingNvlinkDown severity=warning action=reset_gpu scope=gpu test=1|chat",
        "alertname=LapwingNodeInMaintenance severity=info action=none scope=fleet|nobody",
        "alertname=LapwingAutomationHeld severity=info action=none scope=fleet|nobody",
        "alertname=LapwingNvlinkDown severity=warning action=reset_gpu scope=gpu|automation,chat",
        "alertname=LapwingGpuPcieLink severity=warning action=watch scope=gpu|chat",
        "alertname=LapwingNodeGone severity=critical action=watch scope=fleet|page",
        "alertname=LapwingTrainingStall severity=warning action=watch scope=training|jobs",
        "alertname=LapwingTrainingStall severity=critical action=watch scope=training|page",
        "alertname=LapwingInferenceDown severity=warning action=watch scope=inference|jobs",
        "alertname=LapwingXidApplication severity=info action=restart_app scope=xid|nobody",
        "alertname=LapwingXidApplication severity=info action=reset_gpu scope=xid|nobody",
        "alertname=LapwingWatchdog severity=info action=none scope=agent|watchdog",
        "alertname=OtherTeams|chat"
      })
  void alertsFindTheirReceivers(String labels, String receivers) throws Exception {
    assertRouted(Routing.FILE, labels, receivers);
  }

  /** A single failing node does not page while a program can repair it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alertname=LapwingXid severity=critical action=replace_node scope=xid instance=n|automation,chat",
        "alertname=LapwingNodeReboot severity=critical action=reboot_node scope=node instance=n|automation,chat",
        "alertname=LapwingGpuReset severity=warning action=reset_gpu scope=node instance=n|automation,chat",
        "alertname=LapwingXid severity=critical action=replace_node scope=xid instance=n confirmed=0|page",
        "alertname=LapwingXid severity=critical action=replace_node scope=xid instance=n test=1|page",
        "alertname=LapwingNcclRankBehind severity=critical action=watch scope=training instance=n|page",
        "alertname=LapwingNodeDegraded severity=critical action=watch scope=node instance=n|page",
        "alertname=LapwingStillFailing severity=critical action=watch scope=fleet instance=n|page",
        "alertname=LapwingAutomationBudgetSpent severity=critical action=none scope=fleet|page",
        "alertname=LapwingManyNodesFailing severity=critical action=none scope=fleet|page",
        "alertname=LapwingClusterBlind severity=critical action=none scope=fleet|page",
        "alertname=LapwingNodeGone severity=critical action=watch scope=fleet instance=n|page",
        "alertname=LapwingLemonNode severity=warning action=replace_node scope=fleet instance=n|automation,chat",
        "alertname=LapwingTrainingStall severity=warning action=watch scope=training|jobs",
        "alertname=LapwingWatchdog severity=info action=none scope=agent|watchdog",
        "alertname=OtherTeams severity=critical|page"
      })
  void withAutomationASingleNodeWakesNobody(String labels, String receivers) throws Exception {
    assertRouted(Routing.AUTOMATED, labels, receivers);
  }

  private static void assertRouted(Path file, String labels, String receivers) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "config",
                "routes",
                "test",
                "--config.file=" + file,
                "--verify.receivers=" + receivers));
    Pattern.compile(" ").splitAsStream(labels).forEach(arguments::add);

    assertThat(AMTOOL.run(arguments)).contains(receivers);
  }

  private static String rendered(String name) throws Exception {
    return AMTOOL.run(
        List.of(
            "template",
            "render",
            "--template.glob=" + Routing.FOLDER.resolve("lapwing.tmpl"),
            "--template.text={{ template \"" + name + "\" . }}",
            "--template.data=" + SAMPLE));
  }

  @Test
  void aTitleIsOneLineWithTheNode() throws Exception {
    assertThat(rendered("lapwing.title").strip())
        .isEqualTo("[FIRING 1] 2 alerts on gpu-node-17 (east)");
  }

  @Test
  void theTextHasEachAlertWithItsRunbook() throws Exception {
    assertThat(rendered("lapwing.text"))
        .contains("GPU 5 GPU-da8d3aee XID 79")
        .contains("Runbook: https://lapwing.example/runbooks/LapwingXid.md")
        .contains("Resolved: NVLinks are down.");
  }

  @Test
  void withAutomationOneRouteIsMoreAndTheRestIsTheSame() throws Exception {
    assertOneRouteMore(Routing.alertmanager(), Routing.automated());
    assertOneRouteMore(
        Routing.ampConfiguration(Routing.AMP), Routing.ampConfiguration(Routing.AMP_AUTOMATED));
  }

  private static void assertOneRouteMore(JsonNode configuration, JsonNode automated) {
    ArrayNode routes = (ArrayNode) automated.at("/route/routes");
    assertThat(routes.get(2).path("receiver").asText()).isEqualTo("chat");
    routes.remove(2);
    assertThat(automated).isEqualTo(configuration);
  }

  /** A scrape and an evaluation take up to a minute each. */
  @Test
  void automationWaitsUntilItCanBeHeld() throws Exception {
    for (JsonNode configuration : List.of(Routing.alertmanager(), Routing.ampConfiguration())) {
      JsonNode automation =
          configuration
              .path("route")
              .path("routes")
              .valueStream()
              .filter(route -> route.path("receiver").asText().equals("automation"))
              .findFirst()
              .orElseThrow();
      assertThat(Promql.duration(automation.path("group_wait").asText()))
          .isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }
    Rule held =
        Shipped.rules().alerts().stream()
            .filter(alert -> alert.name().equals("LapwingAutomationHeld"))
            .findFirst()
            .orElseThrow();
    assertThat(held.hold()).isEqualTo(Duration.ZERO);
  }
}
