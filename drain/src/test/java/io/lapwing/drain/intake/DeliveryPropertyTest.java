package io.lapwing.drain.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.request.Request;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Alertmanager delivers at least once, in any order, and the journal fails now and then. */
class DeliveryPropertyTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:05:00Z");

  private static String message(int alert, boolean resolved) {
    return """
        {"version": "4", "truncatedAlerts": 0, "alerts": [{
          "status": "%s", "fingerprint": "%016x", "startsAt": "2026-11-25T10:00:00Z",
          "labels": {"alertname": "LapwingXid", "instance": "n%d", "action": "reset_gpu"}}]}
        """
        .formatted(resolved ? "resolved" : "firing", alert, alert);
  }

  @Property(tries = 300)
  void eachFiringIsOneRequestWhateverTheOrderAndTheRepetitions(
      @ForAll @Size(max = 60) List<@IntRange(max = 39) Integer> deliveries) {
    RecordingSink sink = new RecordingSink();
    AlertmanagerWebhook webhook =
        new AlertmanagerWebhook(
            new AlertIntake(
                new RequestIntake(sink),
                Nodes.directory("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"),
                Set.of(),
                Urgency.JOB_END,
                Nodes.noAlerts()));
    Set<String> accepted = new TreeSet<>();
    for (int delivery : deliveries) {
      int alert = delivery % 10;
      boolean resolved = delivery / 10 == 1;
      sink.full = delivery / 10 == 2;
      Reply reply = webhook.answer(message(alert, resolved).getBytes(UTF_8), NOW);
      boolean known = accepted.contains("n" + alert);
      assertThat(reply.status()).isEqualTo(sink.full && !known ? 503 : 200);
      if (!resolved && !sink.full) {
        accepted.add("n" + alert);
      }
    }
    assertThat(sink.requests).extracting(Request::key).doesNotHaveDuplicates();
    assertThat(sink.requests)
        .extracting(request -> request.node().text())
        .containsExactlyInAnyOrderElementsOf(accepted);
  }
}
