package io.lapwing.drain.slurm;

import static io.lapwing.drain.slurm.FakeSlurm.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import io.lapwing.drain.cluster.Share;
import io.lapwing.drain.guard.Guard;
import io.lapwing.drain.policy.Budget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of UltraServers, by the blocks of Slurm's topology or by a feature. */
class NvlinkDomainsTest {

  /** As Slurm 24.11 prints it, with a block that has no node. */
  private static final String TWO_RACKS =
      """
      BlockName=rack1 BlockIndex=0 Nodes=gb-[01-02] BlockSize=18
      BlockName=rack2 BlockIndex=1 Nodes=gb-[03-04] BlockSize=18
      BlockName=rack3 BlockIndex=2
      AggregatedBlock=rack[1-2] BlockIndex=3 Nodes=gb-[01-04] BlockSize=36
      """;

  @TempDir private Path dir;
  private FakeSlurm slurm;
  private Instant now = Instant.parse("2026-11-25T12:00:00Z");
  private NvlinkDomains domains = NvlinkDomains.NONE;

  @BeforeEach
  void nodes() throws IOException {
    slurm = new FakeSlurm(dir);
    slurm.nodes(
        node("gb-01", "IDLE+DRAIN", "Reason=fan [root@2026-11-25T18:57:00]"),
        node("gb-02", "IDLE", ""),
        node("gb-03", "IDLE", ""),
        node("login", "IDLE", ""));
    domains = new SlurmBlocks(slurm.commands(), clock());
  }

  private Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return now;
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }

  private SlurmScheduler scheduler() {
    return new SlurmScheduler(slurm.commands(), domains, SlurmPlatform.SLURM, clock());
  }

  private ClusterIndex cluster() {
    assertThat(scheduler().view()).isInstanceOf(View.class);
    return new ClusterIndex(((View) scheduler().view()).cluster());
  }

  private static NodeState seen(ClusterIndex cluster, String name) {
    return cluster.node(new NodeName(name)).orElseThrow();
  }

  private static String domain(ClusterIndex cluster, String name) {
    return seen(cluster, name).more().nvlinkDomain();
  }

  @Test
  void aBlockIsADomainWithItsShareAndItsLimit() throws IOException {
    slurm.topology(TWO_RACKS);

    ClusterIndex cluster = cluster();
    NodeState second = seen(cluster, "gb-02");

    assertThat(cluster.domainOf(second)).contains(new Share("rack1", 1, 2));
    assertThat(domain(cluster, "gb-03")).isEqualTo("rack2");
    assertThat(domain(cluster, "login")).isEmpty();
    Budget one =
        new Budget(
            5,
            1,
            1,
            4,
            1,
            10,
            2,
            Duration.ofSeconds(30),
            4,
            Duration.ofMinutes(10),
            Duration.ofMinutes(30));
    assertThat(new Guard(one).against(second, cluster, Set.of(), List.of()))
        .extracting(objection -> objection.limit())
        .contains("budget.domain-nodes");
    assertThat(new Guard(one).against(seen(cluster, "gb-03"), cluster, Set.of(), List.of()))
        .extracting(objection -> objection.limit())
        .doesNotContain("budget.domain-nodes");
  }

  /** slurmctld 22.05 writes its message to the errors, and nothing else. */
  @Test
  void aSlurmWithoutBlocksHasNoDomains() throws IOException {
    slurm.topology("SwitchName=s0 Level=0 LinkSpeed=1 Nodes=gb-[01-04]\n");
    assertThat(domain(cluster(), "gb-01")).isEmpty();
    domains = new SlurmBlocks(slurm.commands(), clock());
    slurm.topology("");
    assertThat(domain(cluster(), "gb-01")).isEmpty();
  }

  @Test
  void blocksAreKeptWhileSlurmDoesNotShowThemAndReadAgainAfterTenMinutes() throws IOException {
    slurm.topology(TWO_RACKS);
    assertThat(domain(cluster(), "gb-01")).isEqualTo("rack1");
    slurm.topology("BlockName=moved BlockIndex=0 Nodes=gb-[01-04]\n");
    assertThat(domain(cluster(), "gb-01")).isEqualTo("rack1");
    now = now.plusSeconds(601);
    assertThat(domain(cluster(), "gb-01")).isEqualTo("moved");
    now = now.plusSeconds(601);
    slurm.noTopology("slurm_load_topo error: Unable to contact slurm controller");
    assertThat(domain(cluster(), "gb-01")).isEqualTo("moved");
  }

  /** Its limit must not be open for want of an answer. */
  @Test
  void aSlurmThatDoesNotAnswerWhetherItHasBlocksIsNotSeen() throws IOException {
    slurm.noTopology("slurm_load_topo error: Unable to contact slurm controller");
    assertThat(scheduler().view())
        .isEqualTo(
            new CannotSee(
                "the blocks of Slurm's topology are not known: scontrol exited with 1:"
                    + " slurm_load_topo error: Unable to contact slurm controller"));
    slurm.topology("BlockName=a BlockIndex=0 Nodes=gb-[01\n");
    domains = new SlurmBlocks(slurm.commands(), clock());
    assertThat(scheduler().view()).isInstanceOf(CannotSee.class);
    slurm.noTopology("invalid entity:topology for keyword:show");
    domains = new SlurmBlocks(slurm.commands(), clock());
    assertThat(domain(cluster(), "gb-01")).isEmpty();
  }

  /** Slurm did not say that it has none. */
  @Test
  void aProgramThatCannotBeStartedIsNoAnswerToAQuestion() {
    SlurmCommands none =
        new SlurmCommands(
            dir.resolve("none"), dir.resolve("none"), Map.of(), Duration.ofMinutes(1));
    assertThatThrownBy(() -> new SlurmBlocks(none, clock()).of(List.of()))
        .isInstanceOf(UnreadableAnswer.class);
    assertThatThrownBy(() -> new CommandNodes(none).slurmUser())
        .isInstanceOf(UnreadableAnswer.class);
  }

  @Test
  void aFeatureThatBeginsSoIsADomain() throws IOException {
    domains = NvlinkDomains.byFeature("nvl-");
    slurm.nodes(
        withFeatures("gb-01", "gb200,nvl-a"),
        withFeatures("gb-02", "nvl-a,nvl-b"),
        withFeatures("gb-03", "gb200"));

    ClusterIndex cluster = cluster();

    assertThat(domain(cluster, "gb-01")).isEqualTo("nvl-a");
    assertThat(domain(cluster, "gb-02")).as("of two, which one is not known").isEmpty();
    assertThat(domain(cluster, "gb-03")).isEmpty();
    assertThat(slurm.changes()).as("the topology is not asked for").isEmpty();
  }

  private static String withFeatures(String name, String features) {
    return node(name, "IDLE", "")
        .replace(
            " Gres=", " AvailableFeatures=" + features + " ActiveFeatures=" + features + " Gres=");
  }
}
