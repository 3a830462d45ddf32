package io.lapwing.drain.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FiringAlertsTest {

  private static final Instant START = Instant.parse("2026-11-25T19:00:00Z");

  private Instant now = START.plusSeconds(60);
  private Set<String> watched = Set.of("FabricDown");
  private final FiringAlerts firing =
      new FiringAlerts(() -> watched, Duration.ofHours(5), () -> now);
  private final AlertmanagerWebhook webhook =
      new AlertmanagerWebhook(
          new AlertIntake(
              new RequestIntake(new RecordingSink()),
              Nodes.directory("gpu-17"),
              Set.of("a"),
              Urgency.JOB_END,
              firing));

  private int post(String name, String fingerprint, String status, Instant startsAt, String more) {
    String message =
        """
        {"version": "4", "alerts": [{"status": "%s", "fingerprint": "00000000000000%s",
         "startsAt": "%s", "labels": {"alertname": "%s"%s}}]}
        """
            .formatted(status, fingerprint, startsAt, name, more);
    return webhook.answer(message.getBytes(UTF_8), now).status();
  }

  private int post(String fingerprint, String status, Instant startsAt) {
    return post("FabricDown", fingerprint, status, startsAt, ", \"cluster\": \"a\"");
  }

  @Test
  void anAlertWithoutAnActionFiresUntilAllOfItsNameHaveResolved() {
    assertThat(post("01", "firing", START)).isEqualTo(200);
    assertThat(post("02", "firing", START)).isEqualTo(200);
    assertThat(firing.get()).containsExactly("FabricDown");

    assertThat(post("01", "resolved", START)).isEqualTo(200);
    assertThat(firing.get()).containsExactly("FabricDown");
    assertThat(post("02", "resolved", START)).isEqualTo(200);
    assertThat(firing.get()).isEmpty();
  }

  @Test
  void anAlertThatFiredBeforeItsNameWasAddedCounts() {
    post("FsxDown", "01", "firing", START, ", \"cluster\": \"a\"");
    assertThat(firing.get()).isEmpty();

    watched = Set.of("FabricDown", "FsxDown");

    assertThat(firing.get()).containsExactly("FsxDown");
  }

  @Test
  void aLateMessageDoesNotEndWhatBeganSince() {
    post("01", "firing", START.plusSeconds(30));
    post("01", "resolved", START);

    assertThat(firing.get()).containsExactly("FabricDown");
  }

  private void take(String status, int sent) {
    Map<String, String> labels = Map.of("alertname", "FabricDown");
    Alert alert = new Alert("0000000000000001", START, status.equals("resolved"), labels, Map.of());
    firing.take("FabricDown", alert, START.plusSeconds(sent), now);
  }

  /** A standard queue of SQS does not keep the order. */
  @Test
  void aMessageThatWasOvertakenIsIgnored() {
    take("resolved", 40);
    take("firing", 30);
    assertThat(firing.get()).isEmpty();

    take("firing", 50);
    assertThat(firing.get()).as("Prometheus reached Alertmanager again").hasSize(1);
    take("resolved", 40);
    assertThat(firing.get()).hasSize(1);
  }

  @Test
  void anAlertThatIsNotRepeatedExpires() {
    post("01", "firing", START);
    now = now.plus(Duration.ofHours(4));
    post("01", "firing", START);
    now = now.plus(Duration.ofHours(4));
    assertThat(firing.get()).containsExactly("FabricDown");
    now = now.plus(Duration.ofHours(2));
    assertThat(firing.get()).isEmpty();
  }

  @Test
  void alertsOfOtherClustersAndThoseThatAreNotNamedDoNotCount() {
    post("FabricDown", "01", "firing", START, ", \"cluster\": \"b\"");
    assertThat(post("Watchdog", "02", "firing", START, ", \"cluster\": \"a\"")).isEqualTo(400);

    assertThat(firing.get()).isEmpty();
  }

  @Test
  void aNamedAlertWithAnActionIsStillARequest() {
    watched = Set.of("LapwingXid");
    int status =
        post(
            "LapwingXid",
            "01",
            "firing",
            START,
            ", \"cluster\": \"a\", \"action\": \"reboot_node\", \"instance\": \"nowhere\"");

    assertThat(status).isEqualTo(422);
    assertThat(firing.get()).containsExactly("LapwingXid");
  }
}
