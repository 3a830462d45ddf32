package io.lapwing.drain.intake.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.HealthReader;
import io.lapwing.drain.health.HealthReader.Answer;
import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.HealthReader.NotAsked;
import io.lapwing.drain.health.HealthReader.Silent;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelHealthReaderTest {

  private static final Answer WELL =
      new Answered(
          new NodeHealth(
              Verdict.HEALTHY,
              Remedy.NONE,
              Instant.EPOCH,
              false,
              "",
              "",
              "",
              OptionalInt.empty(),
              Set.of(),
              Urgency.JOB_END,
              Set.of()));

  private final ExecutorService threads = Executors.newFixedThreadPool(20);
  private final ExecutorService few = Executors.newFixedThreadPool(4);

  @AfterEach
  void end() {
    threads.shutdownNow();
    few.shutdownNow();
  }

  private static List<NodeName> nodes(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> new NodeName("n" + i)).toList();
  }

  @Test
  void allAreAskedBeforeTheFirstOneAnswers() {
    CountDownLatch asked = new CountDownLatch(20);
    HealthReader waitsForAll =
        node -> {
          asked.countDown();
          return await(asked);
        };
    ParallelHealthReader reader =
        new ParallelHealthReader(waitsForAll, threads, Duration.ofMinutes(5));

    assertThat(reader.askAll(nodes(0, 20))).hasSize(20).containsValue(WELL);
    assertThat(asked.getCount()).isZero();
  }

  private static Answer await(CountDownLatch latch) {
    try {
      latch.await();
      return WELL;
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return new Silent("interrupted");
    }
  }

  @Test
  void moreHungAgentsThanThreadsAreSilentAndHideNoOtherForLong() {
    CountDownLatch never = new CountDownLatch(1);
    NodeName well = new NodeName("n11");
    HealthReader hung = node -> node.equals(well) ? WELL : await(never);
    ParallelHealthReader reader = new ParallelHealthReader(hung, few, Duration.ofSeconds(1));

    Map<NodeName, Answer> first = reader.askAll(nodes(0, 12));
    assertThat(first.get(new NodeName("n0"))).isEqualTo(new Silent("no answer within 1s"));
    assertThat(first.get(well))
        .as("which says nothing about the node")
        .isEqualTo(new NotAsked("too many others do not answer"));
    reader.askAll(nodes(0, 12));
    assertThat(reader.askAll(nodes(0, 12))).as("the third call").containsEntry(well, WELL);
    assertThat(reader.askAll(nodes(0, 12))).as("from then on").containsEntry(well, WELL);
    assertThat(reader.askAll(List.of(well))).as("one of them alone").containsEntry(well, WELL);
    assertThat(reader.askAll(nodes(0, 12))).as("and after that").containsEntry(well, WELL);
  }

  @Test
  void aFailureIsNoVerdict() {
    HealthReader broken =
        node -> {
          throw new IllegalStateException("a bug");
        };
    assertThat(new ParallelHealthReader(broken, few, Duration.ofMinutes(5)).askAll(nodes(0, 1)))
        .containsValue(new Silent("java.lang.IllegalStateException: a bug"));
  }
}
