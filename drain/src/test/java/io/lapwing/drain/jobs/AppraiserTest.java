package io.lapwing.drain.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.Share;
import io.lapwing.drain.policy.WaitPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppraiserTest {

  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  @TempDir private Path dir;

  private final List<NodeState> nodes = new ArrayList<>();

  private static NodeName name(int index) {
    return new NodeName("p5-" + index);
  }

  private NodeState node(int index, Service service, String type) {
    NodeState node =
        new NodeState(
            name(index),
            service,
            "",
            "",
            Set.of("train"),
            true,
            "",
            Optional.empty(),
            8,
            new More(
                Set.of(),
                "rack1",
                type,
                "kured",
                List.of("EKS replaces or reboots the node"),
                false));
    nodes.add(node);
    return node;
  }

  private BlastRadius radius(NodeState node, JobProgress progress, Job... jobs) throws IOException {
    Appraiser appraiser =
        new Appraiser(job -> progress, Prices.example(), new WaitRule(WaitPolicy.DEFAULT));
    ClusterView view = ClusterView.of(NOW, nodes, List.of(jobs));
    return appraiser.of(
        node, new ClusterIndex(view), OptionalDouble.empty(), List.of("blocked: ml/w1"), NOW);
  }

  private static JobProgress unsaved(long seconds) {
    Instant saved = NOW.minusSeconds(seconds);
    return new JobProgress(
        Optional.of(saved),
        Optional.of(saved),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalDouble.empty());
  }

  @Test
  void aJobLosesTheHoursOfAllItsNodes() throws IOException {
    NodeState sick = node(1, Service.IN_SERVICE, "p5.48xlarge");
    node(2, Service.IN_SERVICE, "p5.48xlarge");
    node(3, Service.IN_SERVICE, "p5.48xlarge");
    node(4, Service.OUT, "p5.48xlarge");

    BlastRadius radius =
        radius(sick, unsaved(3000), new Job("4711", "ada", Set.of(name(1), name(2)), 16));

    assertThat(radius.jobs())
        .containsExactly(
            new JobAtStake(
                "4711",
                "ada",
                2,
                OptionalInt.of(16),
                Optional.of(NOW.minusSeconds(3000)),
                Loss.of(16, OptionalDouble.of(4.916)),
                Loss.UNKNOWN,
                Optional.empty()));
    assertThat(radius.shares()).containsExactly(new Share("train", 1, 4), new Share("rack1", 1, 4));
    assertThat(radius.idle()).isEqualTo(1);
    assertThat(radius.sentence())
        .isEqualTo(
            "job 4711 of ada on 2 nodes loses 16.0 GPU hours ($79) if it ends now, an unknown"
                + " amount at its next checkpoint; 1 idle node beside it; blocked: ml/w1; kured is at"
                + " work on the node; EKS replaces or reboots the node");
    assertThat(radius.others())
        .containsExactly("kured is at work on the node", "EKS replaces or reboots the node");
  }

  @Test
  void whatIsUnknownIsNeverZero() throws IOException {
    NodeState sick = node(1, Service.IN_SERVICE, "p5.48xlarge");
    node(2, Service.IN_SERVICE, "x9.metal");

    Job both = new Job("1", "", Set.of(name(1), name(2)), 16);
    Job away = new Job("2", "", Set.of(name(1), name(9)), 16);
    Job noGpus = new Job("3", "", Set.of(name(1)), 0);

    assertThat(radius(sick, unsaved(3000), both).jobs().get(0).now())
        .as("one of its nodes has no price")
        .isEqualTo(Loss.of(16, OptionalDouble.empty()));
    assertThat(radius(sick, unsaved(3000), away).jobs().get(0).now().dollars())
        .as("the scheduler does not list one of its nodes")
        .isEmpty();
    assertThat(radius(sick, unsaved(3000), noGpus).jobs().get(0).now()).isEqualTo(Loss.UNKNOWN);
    assertThat(radius(sick, JobProgress.UNKNOWN, both).jobs().get(0).now()).isEqualTo(Loss.UNKNOWN);
  }

  @Test
  void aPriceListOfTheSiteIsReadAndABadLineIsNamed() throws IOException {
    Path list = dir.resolve("prices.csv");
    Files.writeString(list, "# ours\n\np5.48xlarge, 3.5\n");
    assertThat(Prices.read(list).of("p5.48xlarge")).hasValue(3.5);
    assertThat(Prices.read(list).of("p4d.24xlarge")).isEmpty();

    for (String bad : List.of("p5", "p5,0", "p5,NaN", "p5,-1", ",1", "p5,1,2", "p5,1\np5,2")) {
      Files.writeString(list, "#\n" + bad + "\n");
      assertThatThrownBy(() -> Prices.read(list))
          .as(bad)
          .isInstanceOf(IOException.class)
          .hasMessageMatching(".*prices.csv:[23]: needs an instance type, a comma and .*");
    }
  }
}
