package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.request.Request;
import io.lapwing.drain.request.Urgency;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Random storms over a cluster in virtual time: faults, alerts that are wrong, late, repeated or
 * missing, a scheduler that fails, people who interfere, a controller killed at any entry of its
 * journal. What must never happen is noted by {@link FakeCluster}.
 */
class StormPropertyTest {

  private static final int NODES = 60;
  private static final List<Remedy> REMEDIES =
      List.of(Remedy.RESET_GPU, Remedy.REBOOT_NODE, Remedy.REPLACE_NODE);
  private static final Duration ROUND = Duration.ofSeconds(20);
  private static final Policy POLICY = Policy.DEFAULT.all(Mode.ACT);

  private final FakeCluster cluster = new FakeCluster(NODES);
  private final MemoryJournal journal = new MemoryJournal();
  private Random random = new Random(0);
  private Controller controller = start();

  private Controller start() {
    return new Controller(POLICY, cluster, cluster, cluster, journal, Optional::empty);
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void noHealthyNodeIsTakenNothingIsDoneTwiceAndNoNodeIsForgotten(@ForAll long seed) {
    random = new Random(seed);
    for (int round = 0; round < 600; round++) {
      disturb();
      round();
      assertThat(cluster.violations).isEmpty();
    }
    assertThat(cluster.mostHeld()).isLessThanOrEqualTo(Budget.DEFAULT.nodes());

    calm();

    assertThat(cluster.violations).isEmpty();
    assertThat(cluster.held()).isEmpty();
    assertThat(cluster.nodes.values()).noneMatch(cluster::sick);
    assertThat(controller.open()).isEmpty();
  }

  private void disturb() {
    cluster.schedulerDown = random.nextInt(20) == 0;
    cluster.answersLost = random.nextInt(5) == 0;
    FakeNode node = any();
    switch (random.nextInt(40)) {
      case 0, 1, 2 -> cluster.breaks(node, remedy());
      case 3 -> cluster.heals(node);
      case 4, 5 -> cluster.runs(node, Duration.ofMinutes(random.nextInt(60)));
      case 6 -> cluster.answers(node, random.nextBoolean());
      case 7 -> person(node);
      case 8 -> request(node, remedy());
      case 9 -> journal.killAfter(1 + random.nextInt(4), random.nextBoolean());
      case 10 -> {
        for (int i = 0; i < 6; i++) {
          cluster.breaks(any(), Remedy.REBOOT_NODE);
        }
      }
      default -> {}
    }
    cluster.nodes.values().stream()
        .filter(cluster::sick)
        .filter(sick -> random.nextInt(4) == 0)
        .forEach(sick -> request(sick, remedy()));
  }

  private void person(FakeNode node) {
    if (cluster.service(node) == Service.IN_SERVICE) {
      cluster.person(node, Service.DRAINED, "ada: cable");
    } else {
      cluster.person(node, Service.IN_SERVICE, "");
    }
  }

  /** Everybody behaves from now on, and people return what they took. */
  private void calm() {
    cluster.schedulerDown = false;
    cluster.answersLost = false;
    for (int round = 0; round < 10_000; round++) {
      for (FakeNode node : cluster.nodes.values()) {
        cluster.answers(node, true);
        if (cluster.reason(node).startsWith("ada")) {
          cluster.person(node, Service.IN_SERVICE, "");
        }
        if (cluster.sick(node) && round % 15 == 0) {
          request(node, Remedy.REBOOT_NODE, "");
        }
        handedOver(node);
      }
      round();
      if (controller.open().isEmpty() && cluster.nodes.values().stream().noneMatch(cluster::sick)) {
        return;
      }
    }
  }

  /** A person repairs what the controller cannot. */
  private void handedOver(FakeNode node) {
    boolean over =
        controller.open().values().stream()
            .anyMatch(
                one ->
                    one.phase() == Phase.HANDED_OVER && one.reason().equals(cluster.reason(node)));
    if (over) {
      cluster.heals(node);
    }
  }

  private void request(FakeNode node, Remedy remedy) {
    request(node, remedy, "xid_" + random.nextInt(3));
  }

  /** Those of people have no rule: they end a storm. */
  private void request(FakeNode node, Remedy remedy, String rule) {
    Request request =
        new Request(
            "key",
            cluster.name(node),
            remedy,
            Urgency.NOW,
            rule,
            "an alert",
            "alertmanager",
            cluster.now,
            false);
    try {
      assertThat(controller.request(request, cluster.now)).isEmpty();
    } catch (IOException killed) {
      controller = start();
    }
  }

  private void round() {
    cluster.advance(ROUND);
    try {
      controller.round(cluster.now);
    } catch (IOException killed) {
      controller = start();
    }
  }

  private Remedy remedy() {
    return REMEDIES.get(random.nextInt(REMEDIES.size()));
  }

  private FakeNode any() {
    return cluster.node(random.nextInt(NODES));
  }
}
