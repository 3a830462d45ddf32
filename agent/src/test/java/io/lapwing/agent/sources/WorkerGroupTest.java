package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sources that share a worker group. */
class WorkerGroupTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final VirtualClock clock = new VirtualClock();
  private final Poller poller =
      new Poller(
          new SnapshotBoard(), new Cadences(PERIOD, PERIOD, PERIOD, Duration.ofSeconds(5)), clock);
  private final List<Device> devices =
      IntStream.range(0, 8).mapToObj(index -> new Device("efa" + index)).toList();

  /** One of many small devices; remembers the threads that read it. */
  private static final class Device implements Source {
    final FakeSource fake;
    final Set<Thread> threads = new HashSet<>();

    Device(String name) {
      this.fake = new FakeSource(name).with("efa", Cadence.FAST, 1);
    }

    @Override
    public String name() {
      return fake.name();
    }

    @Override
    public String workerGroup() {
      return "efa";
    }

    @Override
    public List<Collector> collectors() {
      return fake.collectors();
    }

    @Override
    public Access begin(List<Collector> due) {
      synchronized (threads) {
        threads.add(Thread.currentThread());
      }
      return fake.begin(due);
    }

    @Override
    public void close() {
      fake.close();
    }

    Set<Thread> readBy() {
      synchronized (threads) {
        return Set.copyOf(threads);
      }
    }
  }

  @AfterEach
  void close() {
    devices.forEach(device -> device.fake.comeBack());
    poller.close();
  }

  private long rounds(int index) {
    return poller.activities().get(index).rounds();
  }

  private void awaitRounds(List<Integer> which, long rounds) {
    await().atMost(PATIENCE).until(() -> which.stream().allMatch(index -> rounds(index) >= rounds));
  }

  private static List<Integer> allBut(int... without) {
    List<Integer> rest = new ArrayList<>(IntStream.range(0, 8).boxed().toList());
    for (int one : without) {
      rest.remove((Integer) one);
    }
    return rest;
  }

  @Test
  void oneThreadReadsThemAllInTurn() {
    devices.forEach(poller::add);
    awaitRounds(allBut(), 1);
    clock.advance(PERIOD);
    awaitRounds(allBut(), 2);

    assertThat(devices.stream().flatMap(device -> device.readBy().stream()).distinct()).hasSize(1);
  }

  @Test
  void oneThatBlocksDelaysNoOtherAndIsNotReadASecondTime() {
    devices.get(2).fake.hang();
    devices.forEach(poller::add);
    awaitRounds(allBut(2), 1);
    for (int round = 2; round < 6; round++) {
      clock.advance(PERIOD);
      awaitRounds(allBut(2), round);
    }

    assertThat(devices.get(2).fake.begun()).hasSize(1);
    assertThat(poller.activities().get(2).hung()).isTrue();
  }

  @Test
  void allButOneMayBlockAtOnce() {
    devices.subList(0, 7).forEach(device -> device.fake.hang());
    devices.forEach(poller::add);

    awaitRounds(List.of(7), 1);
    clock.advance(PERIOD);
    awaitRounds(List.of(7), 2);
  }

  @Test
  void aReturningSourceIsReadWithTheOthersAgain() {
    devices.get(0).fake.hang();
    devices.forEach(poller::add);
    awaitRounds(allBut(0), 1);

    devices.get(0).fake.comeBack();
    awaitRounds(List.of(0), 1);
    clock.advance(PERIOD);
    awaitRounds(allBut(), 2);

    await()
        .atMost(PATIENCE)
        .until(
            () ->
                devices.stream()
                        .flatMap(device -> device.readBy().stream())
                        .distinct()
                        .filter(Thread::isAlive)
                        .count()
                    == 1);
  }

  @Test
  void removedSourcesAreClosedAndTheOthersContinue() {
    devices.forEach(poller::add);
    awaitRounds(allBut(), 1);
    poller.remove("efa3");
    await().atMost(PATIENCE).until(() -> devices.get(3).fake.closed() == 1);

    clock.advance(PERIOD);
    awaitRounds(List.of(0, 1, 2, 3, 4, 5, 6), 2);
    assertThat(devices.get(3).fake.begun().size()).isLessThanOrEqualTo(2);
  }

  @Test
  void aLaneThatBecameEmptyMayBeUsedAgain() {
    poller.add(devices.get(0));
    awaitRounds(List.of(0), 1);
    poller.remove("efa0");
    await().atMost(PATIENCE).until(() -> devices.get(0).fake.closed() == 1);

    poller.add(devices.get(1));
    awaitRounds(List.of(0), 1);
  }
}
