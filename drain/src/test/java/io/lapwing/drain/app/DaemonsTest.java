package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.BackgroundRepairs;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Repairs.Repair;
import io.lapwing.drain.health.BackgroundRelease;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.Remedy;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DaemonsTest {

  private static final Repair REPAIR =
      new Repair(
          Remedy.REBOOT_NODE,
          new NodeState(
              new NodeName("n1"),
              Service.DRAINED,
              "lapwing-drain 1-1",
              "",
              Set.of(),
              true,
              "",
              Optional.empty(),
              8),
          "lapwing-drain 1-1",
          "xid_79");

  /** What was checked for a command that waits may be wrong when it begins. */
  @Test
  void aRepairForWhichNoThreadIsFreeIsNotBegunLater() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    ExecutorService threads = Daemons.withoutQueue("repairs", 2);
    BackgroundRepairs repairs =
        new BackgroundRepairs(
            one -> {
              begun.incrementAndGet();
              try {
                end.await();
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              }
              return CommandResult.ACCEPTED;
            },
            threads);

    Running first = (Running) repairs.begin(REPAIR);
    Running second = (Running) repairs.begin(REPAIR);
    assertThat(repairs.begin(REPAIR)).isInstanceOf(NotYet.class);

    end.countDown();
    assertThat(first.end().join()).isEqualTo(CommandResult.ACCEPTED);
    assertThat(second.end().join()).isEqualTo(CommandResult.ACCEPTED);
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(begun).hasValue(2);
  }

  @Test
  void aReleaseForWhichNoThreadIsFreeIsNotBegunLater() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Daemons.withoutQueue("release", 1);
    BackgroundRelease releases = new BackgroundRelease(new SlowRelease(end), threads);

    Running first = (Running) releases.release(new NodeName("n1"), Duration.ofMinutes(10));
    assertThat(releases.end(new NodeName("n2"))).isInstanceOf(NotYet.class);
    assertThat(releases.state(new NodeName("n1"))).isEqualTo(GpuRelease.State.CLOSING);
    assertThat(first.result()).isEmpty();

    end.countDown();
    assertThat(first.end().join()).isEqualTo(CommandResult.ACCEPTED);
    threads.shutdown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  private record SlowRelease(CountDownLatch end) implements GpuRelease {

    @Override
    public State state(NodeName node) {
      return State.CLOSING;
    }

    @Override
    public CommandResult release(NodeName node, Duration time) {
      try {
        end.await();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
      return CommandResult.ACCEPTED;
    }

    @Override
    public CommandResult end(NodeName node) {
      throw new AssertionError("no thread was free");
    }
  }
}
