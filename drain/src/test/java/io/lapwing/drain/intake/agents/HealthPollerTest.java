package io.lapwing.drain.intake.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.RecordingSink;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.intake.agents.HealthDocument.Cause;
import io.lapwing.drain.intake.agents.HealthPoller.Round;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthPollerTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final NodeName NODE = new NodeName("gpu-17");

  private final RecordingSink sink = new RecordingSink();
  private final RequestIntake requests = new RequestIntake(sink);

  private Round poll(AgentReader agents, List<NodeName> nodes) {
    try (HealthPoller poller = new HealthPoller(agents, requests, 8, () -> Duration.ofMinutes(2))) {
      return poller.poll(nodes, () -> NOW);
    }
  }

  private static HealthDocument document(Verdict verdict, Remedy action, Instant at) {
    Cause cause = new Cause("xid_79", action, Urgency.NOW, at.minusSeconds(300));
    return new HealthDocument(
        new NodeHealth(
            verdict,
            action,
            at,
            false,
            "boot-1",
            "",
            "GPU 5: XID 79",
            OptionalInt.empty(),
            Set.of(),
            Urgency.JOB_END,
            Set.of()),
        "gpu-17",
        action == Remedy.NONE ? Optional.empty() : Optional.of(cause),
        GpuRelease.State.OPEN);
  }

  @Test
  void aFailingNodeIsARequestAndOnlyOnce() {
    AgentReader agents = node -> document(Verdict.FAILING, Remedy.REPLACE_NODE, NOW);
    poll(agents, List.of(NODE));
    poll(agents, List.of(NODE));

    assertThat(sink.requests)
        .containsExactly(
            new Request(
                "agent/gpu-17/xid_79/replace_node/2026-11-25T11:55:00Z",
                NODE,
                Remedy.REPLACE_NODE,
                Urgency.NOW,
                "xid_79",
                "GPU 5: XID 79",
                "agent",
                NOW.minusSeconds(300),
                false));
    assertThat(requests.counts().of(Channel.AGENT, Result.DUPLICATE)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "HEALTHY, NONE, 0",
    "DEGRADED, WATCH, 0",
    "UNKNOWN, REPLACE_NODE, 0",
    "MAINTENANCE, REPLACE_NODE, 0",
    "HEALTHY, REPLACE_NODE, 0",
    "FAILING, REPLACE_NODE, 121",
    "FAILING, REPLACE_NODE, -121",
  })
  void anyOtherVerdictIsNone(Verdict verdict, Remedy action, int age) {
    poll(node -> document(verdict, action, NOW.minusSeconds(age)), List.of(NODE));

    assertThat(sink.requests).isEmpty();
  }

  /** Hundreds of nodes that drop packets take minutes, and the others are asked after them. */
  @Test
  void aNodeThatIsAskedLateIsJudgedByTheTimeOfItsAnswer() {
    AtomicLong seconds = new AtomicLong();
    InstantSource clock = () -> NOW.plusSeconds(seconds.get());
    AgentReader agents =
        node -> {
          seconds.set(180);
          return document(Verdict.FAILING, Remedy.REPLACE_NODE, clock.instant());
        };
    try (HealthPoller poller = new HealthPoller(agents, requests, 8, () -> Duration.ofMinutes(2))) {
      Round unused = poller.poll(List.of(NODE), clock);
    }
    assertThat(sink.requests).hasSize(1);
  }

  @Test
  void aSilentNodeIsNamedAndIsNoRequest() {
    Round round =
        poll(
            node -> {
              throw new IOException("connection refused");
            },
            List.of(NODE));

    assertThat(round.answered()).isZero();
    assertThat(round.silent()).isEqualTo(Map.of(NODE, "connection refused"));
    assertThat(sink.requests).isEmpty();
  }

  @Test
  void aThousandNodesAreAskedByAFewThreads() {
    Set<String> threads = new ConcurrentSkipListSet<>();
    List<NodeName> nodes =
        IntStream.range(0, 1000).mapToObj(i -> new NodeName("n%04d".formatted(i))).toList();

    Round round =
        poll(
            node -> {
              threads.add(String.valueOf(Thread.currentThread().getId()));
              if (node.text().endsWith("7")) {
                throw new IOException("no answer");
              }
              boolean failing = node.text().endsWith("00");
              return document(
                  failing ? Verdict.FAILING : Verdict.HEALTHY,
                  failing ? Remedy.RESET_GPU : Remedy.NONE,
                  NOW);
            },
            nodes);

    assertThat(threads).hasSizeLessThanOrEqualTo(8);
    assertThat(round.answered()).isEqualTo(900);
    assertThat(round.silent()).hasSize(100);
    assertThat(sink.requests).hasSize(10);
  }
}
