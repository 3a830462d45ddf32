package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "config",
                "routes",
                "test",
                "--config.file=" + Routing.FILE,
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
