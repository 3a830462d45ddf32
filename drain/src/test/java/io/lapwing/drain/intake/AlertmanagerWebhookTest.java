package io.lapwing.drain.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlertmanagerWebhookTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:05:00Z");

  private final RecordingSink sink = new RecordingSink();
  private final RequestIntake requests = new RequestIntake(sink);
  private AlertmanagerWebhook webhook =
      webhook(Nodes.directory("gpu-1", "gpu-2", "gpu-17", "gpu-18"));

  private AlertmanagerWebhook webhook(NodeResolver nodes) {
    return new AlertmanagerWebhook(
        new AlertIntake(
            requests, nodes, Set.of("cluster-a", "grouped"), Urgency.JOB_END, Nodes.noAlerts()));
  }

  private static String recorded(String name) {
    try (InputStream in =
        AlertmanagerWebhookTest.class.getResourceAsStream("/alertmanager/" + name + ".json")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Reply post(String message) {
    return webhook.answer(message.getBytes(UTF_8), NOW);
  }

  private long count(Result result) {
    return requests.counts().of(Channel.ALERTMANAGER, result);
  }

  private static String with(String from, String to) {
    String message = recorded("firing");
    assertThat(message).contains(from);
    return message.replace(from, to);
  }

  @Test
  void anAlertIsARequest() {
    assertThat(post(recorded("firing")).status()).isEqualTo(200);

    assertThat(sink.requests)
        .containsExactly(
            new Request(
                "655be39d1b95ec0d/2026-11-25T10:00:00Z",
                new NodeName("gpu-17"),
                Remedy.REPLACE_NODE,
                Urgency.JOB_END,
                "LapwingXid",
                "gpu-17 of cluster-a: XID 79 on GPU 3 GPU-1234. The action comes from the XID table"
                    + " in use on the node; the alert fires until the agent has observed that"
                    + " action. Action: replace_node.",
                "alertmanager",
                Instant.parse("2026-11-25T10:00:00Z"),
                false));
  }

  @Test
  void aRepetitionChangesNothing() {
    post(recorded("firing"));

    assertThat(post(recorded("firing")))
        .isEqualTo(new Reply(200, "duplicate: gpu-17, replace_node, LapwingXid"));
    assertThat(sink.requests).hasSize(1);
    assertThat(count(Result.DUPLICATE)).isEqualTo(1);
  }

  @Test
  void anAlertThatStillFiresAfterAnHourIsHandledAgain() {
    post(recorded("firing"));
    webhook.answer(recorded("firing").getBytes(UTF_8), NOW.plus(Duration.ofMinutes(59)));
    assertThat(sink.requests).hasSize(1);

    webhook.answer(recorded("firing").getBytes(UTF_8), NOW.plus(Duration.ofMinutes(61)));
    assertThat(sink.requests).hasSize(2);
  }

  @Test
  void aResolutionEndsNothingAndHidesNothing() {
    Reply reply = post(recorded("resolved"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("resolved, which does not mean repaired");
    assertThat(sink.requests).isEmpty();
    post(recorded("firing"));
    assertThat(sink.requests).hasSize(1);
  }

  @Test
  void aTestFindingIsATrial() {
    assertThat(post(recorded("test-finding")).text()).startsWith("trial: gpu-18");
    assertThat(sink.requests).extracting(Request::trial).containsExactly(true);
  }

  @Test
  void alertsThatAreLeftOutAreReported() {
    Reply reply = post(recorded("truncated"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text()).contains("rest_unknown: 2 alerts were left out");
    assertThat(sink.requests)
        .extracting(one -> one.node().text())
        .containsExactly("gpu-1", "gpu-2");
    assertThat(count(Result.REST_UNKNOWN)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"action\":\"replace_node\"', '\"action\":\"watch\"', MILD",
    "'\"action\":\"replace_node\"', '\"confirmed\":\"0\",\"action\":\"replace_node\"', UNCONFIRMED",
    "'\"cluster\":\"cluster-a\"', '\"cluster\":\"cluster-b\"', OTHER_CLUSTER",
  })
  void whatIsNotForThisControllerIsAcceptedAndLeft(String from, String to, Result result) {
    assertThat(post(with(from, to)).status()).isEqualTo(200);

    assertThat(sink.requests).isEmpty();
    assertThat(count(result)).isEqualTo(1);
  }

  @Test
  void anUrgencyOfTheAlertCounts() {
    post(with("\"action\":\"replace_node\"", "\"urgency\":\"now\",\"action\":\"replace_node\""));

    assertThat(sink.requests).extracting(Request::urgency).containsExactly(Urgency.NOW);
  }

  @Test
  void anUnknownNameIsFoundByTheInstanceIdOfTheAlert() {
    NodeDirectory nodes = new NodeDirectory();
    nodes.update(Nodes.view(List.of(Nodes.node("p5-st-a-1", "i-0123456789abcdef0"))));
    webhook = webhook(nodes);
    post(recorded("firing"));

    assertThat(sink.requests).extracting(one -> one.node().text()).containsExactly("p5-st-a-1");
  }

  @Test
  void aNodeThatTheSchedulerDoesNotListIsRefused() {
    Reply reply = post(with("gpu-17", "gpu-99"));

    assertThat(reply)
        .isEqualTo(
            new Reply(
                422,
                "unknown_node: LapwingXid 655be39d1b95ec0d on gpu-99: labels.instance: the"
                    + " scheduler has no node gpu-99"));
    assertThat(count(Result.UNKNOWN_NODE)).isEqualTo(1);
  }

  @Test
  void beforeTheSchedulerHasAnsweredTheSenderRepeats() {
    webhook = webhook(new NodeDirectory());

    assertThat(post(recorded("firing")).status()).isEqualTo(503);
    assertThat(count(Result.NODES_UNKNOWN)).isEqualTo(1);
  }

  @Test
  void whatCannotBeWrittenDownIsRepeatedAndTakenThen() {
    sink.full = true;
    Reply reply = post(recorded("firing"));
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.text()).contains("No space left on device");

    sink.full = false;
    assertThat(post(recorded("firing")).status()).isEqualTo(200);
    assertThat(sink.requests).hasSize(1);
  }

  @Test
  void aBadAlertDoesNotLoseTheOthers() {
    String message = recorded("truncated");
    String bad = "\"alerts\":[{\"status\":\"firing\"},7,null,{\"labels\":{\"instance\":3}},";
    Reply reply = post(message.replace("\"alerts\":[", bad));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text())
        .contains("malformed: alerts[0].fingerprint: missing")
        .contains("malformed: alerts[1]: not an object")
        .contains("malformed: alerts[2]: not an object");
    assertThat(sink.requests).hasSize(2);
    assertThat(count(Result.MALFORMED)).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"fingerprint\":\"655be39d1b95ec0d\"', '\"fingerprint\":\"..\"', 'alerts[0].fingerprint'",
    "'\"startsAt\":\"2026-11-25T10:00:00.123Z\"', '\"startsAt\":\"now\"', 'alerts[0].startsAt'",
    "'\"alerts\":[{\"status\":\"firing\"', '\"alerts\":[{\"status\":\"odd\"', 'alerts[0].status'",
    "'\"action\":\"replace_node\"', '\"action\":\"explode\"', 'labels.action'",
    "'\"action\":\"replace_node\",', '', 'labels.action: missing'",
    "'\"instance\":\"gpu-17\",', '', 'labels.instance: missing'",
    "'\"alertname\":\"LapwingXid\",', '', 'labels.alertname: missing'",
    "'\"scope\":\"xid\"', '\"scope\":1', 'alerts[0].labels.scope'",
    "'\"scope\":\"xid\"', '\"urgency\":\"soon\"', 'urgency'",
  })
  void aRefusalNamesTheFieldAndTheReason(String from, String to, String field) {
    Reply reply = post(with(from, to));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text()).contains(field);
    assertThat(sink.requests).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "hello",
        "<xml/>",
        "{\"version\":\"4\"}",
        "{\"version\":\"4\",\"alerts\":[]}",
        "{\"version\":\"4\",\"alerts\":{}}",
        "{\"version\":\"4\",\"alerts\":[]} {}",
        "{\"version\":\"4\",\"truncatedAlerts\":-1,\"alerts\":[]}",
        "{\"version\":\"4\",\"version\":\"4\",\"alerts\":[]}",
        "{\"version\":\"3\",\"alerts\":[]}",
        "{\"version\":\"1\",\"source\":\"lapwing\",\"alerts\":[]}",
        "{\"alerts\":[]}"
      })
  void whatIsNoMessageIsRefused(String message) {
    assertThat(post(message).status()).isEqualTo(400);
  }

  @Test
  void aCutMessageIsRefused() {
    String message = recorded("firing").strip();

    for (int length = 0; length < message.length(); length++) {
      assertThat(post(message.substring(0, length)).status()).isEqualTo(400);
    }
    assertThat(sink.requests).isEmpty();
  }

  @Test
  void nestingAndSizeAreBounded() {
    assertThat(post("[".repeat(500_000)).status()).isEqualTo(400);
    assertThat(post("{\"x\":" + "[".repeat(500_000)).status()).isEqualTo(400);
    assertThat(post(" ".repeat(AlertmanagerWebhook.MOST_BYTES + 1)).status()).isEqualTo(413);
    assertThat(post("{\"version\":\"4\",\"alerts\":[1" + ",1".repeat(3000) + "]}").status())
        .isEqualTo(413);
  }

  @Test
  void textsOfStrangersStayOnOneLine() {
    Reply reply = post(with("gpu-17", "gpu\\u001b[31m\\nroot"));

    assertThat(reply.text()).doesNotContain("\n").doesNotContain("\u001b");
  }
}
