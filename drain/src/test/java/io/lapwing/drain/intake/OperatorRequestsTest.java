package io.lapwing.drain.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.request.Request;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperatorRequestsTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:05:00Z");

  private final RecordingSink sink = new RecordingSink();

  private Reply post(NodeResolver nodes, String json) {
    return new OperatorRequests(new RequestIntake(sink), nodes)
        .answer("ada", json.getBytes(UTF_8), NOW);
  }

  private Reply post(String json) {
    return post(Nodes.directory("gpu-17"), json);
  }

  @Test
  void aPersonAsksForANode() {
    Reply reply =
        post(
            """
            {"node": "gpu-17.example", "action": "reset_gpu", "urgency": "now", "reason": "XID 95"}
            """);

    assertThat(reply).isEqualTo(new Reply(200, "taken: gpu-17, reset_gpu"));
    assertThat(sink.requests)
        .containsExactly(
            new Request(
                "operator ada/gpu-17/reset_gpu/2026-11-25T10:05:00Z",
                new NodeName("gpu-17"),
                Remedy.RESET_GPU,
                Urgency.NOW,
                "",
                "XID 95",
                "operator ada",
                NOW,
                false));
  }

  @Test
  void theUrgencyIsTheEndOfTheJobIfNoneIsNamed() {
    post("{\"node\": \"gpu-17\", \"action\": \"reboot_node\", \"reason\": \"kernel\"}");

    assertThat(sink.requests).extracting(Request::urgency).containsExactly(Urgency.JOB_END);
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    Reply reply =
        post("{\"node\": \"gpu-18\", \"action\": \"explode\", \"urgency\": 3, \"force\": true}");

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text())
        .isEqualTo(
            "malformed: node: the scheduler has no node gpu-18; action: not known: explode;"
                + " urgency: not a text; reason: missing; force: unknown field");
    assertThat(sink.requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | node: missing; action: missing; reason: missing",
        "[] | request: not one JSON object",
        "{'node': 'gpu-17', 'action': 'watch', 'reason': 'x'} | action: watch needs no node",
        "{'node': '-w', 'action': 'reset_gpu', 'reason': 'x'} | node: not the name of a node: -w",
        "{'node': 'gpu-17', 'action': 'reset_gpu', 'reason': 'a\\nb'} | reason: at most 500",
        "{'node': 'gpu-17', 'action': 'reset_gpu', 'reason': ' '} | reason: not a text",
      })
  void aBadRequestIsRefusedWithItsReason(String json, String reason) {
    Reply reply = post(json.replace('\'', '"'));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text()).contains(reason);
    assertThat(sink.requests).isEmpty();
  }

  @Test
  void aJournalThatCannotBeWrittenAndAnUnknownClusterAreWorthAnotherTry() {
    String json = "{\"node\": \"gpu-17\", \"action\": \"reset_gpu\", \"reason\": \"x\"}";
    assertThat(post(new NodeDirectory(), json).status()).isEqualTo(503);

    sink.full = true;
    assertThat(post(json).status()).isEqualTo(503);
  }
}
