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
import io.lapwing.drain.health.Remedy;
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
}
