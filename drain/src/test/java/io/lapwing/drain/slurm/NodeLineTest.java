package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class NodeLineTest {

  private static List<SlurmNode> nodes(String file) throws Exception {
    List<SlurmNode> nodes = new ArrayList<>();
    for (String line : Fixtures.lines(file)) {
      nodes.add(NodeLine.parse(line));
    }
    return nodes;
  }

  @Test
  void eachStateOfARealSlurmIsRecognised() throws Exception {
    List<String> seen = new ArrayList<>();
    for (SlurmNode node : nodes("nodes-22.05.txt")) {
      assertThat(node.name()).hasToString("p5-1");
      assertThat(node.gpus()).isEqualTo(8);
      assertThat(node.partitions()).containsExactlyInAnyOrder("p", "q");
      NodeState state = SlurmPlatform.SLURM.state(node);
      seen.add(
          state.service()
              + (state.registered() ? "" : " not registered")
              + (node.busy() ? " busy" : "")
              + (node.reason().isEmpty() ? "" : " " + node.reason() + " by " + node.reasonBy()));
    }
    assertThat(seen)
        .containsExactly(
            "DRAINED busy gpu3 \"fell off\" = State=IDLE 100%s by root",
            "DRAINED busy again by root",
            "DRAINED again by root",
            "IN_SERVICE not registered",
            "IN_SERVICE",
            "OUT not registered f by root",
            "IN_SERVICE not registered",
            "OUT d by root",
            "OUT dd by root",
            "OUT not registered dd by root",
            "IN_SERVICE",
            "DRAINED lapwing-drain 1-1 by root",
            "OUT not registered lapwing-drain 1-1 : reboot issued by root",
            "OUT lapwing-drain 1-1 : reboot issued : reboot complete by root",
            "IN_SERVICE not registered",
            "IN_SERVICE",
            "DRAINED zz by root");
  }

  @Test
  void nodesOfTheCloudAndInMaintenanceAreRecognised() throws Exception {
    assertThat(nodes("power-22.05.txt"))
        .extracting(
            node -> node.state().service(), node -> node.state().registered(), SlurmNode::absent)
        .containsExactly(
            tuple(Service.IN_SERVICE, true, false),
            tuple(Service.DRAINED, true, false),
            tuple(Service.OUT, true, false), // is to be powered down
            tuple(Service.OUT, false, false), // powered down, with our reason
            tuple(Service.IN_SERVICE, false, false), // powering up
            tuple(Service.IN_SERVICE, true, false),
            tuple(Service.OUT, true, false), // maintenance
            tuple(Service.OUT, true, false)); // its reboot timed out
  }

  @Test
  void theTimeOfTheBootIsKnownOnceTheNodeHasRegistered() throws Exception {
    List<SlurmNode> nodes = nodes("nodes-22.05.txt");

    assertThat(nodes.get(0).booted()).contains(Instant.parse("2026-11-25T18:47:33Z"));
    assertThat(nodes.get(3).booted()).isEmpty();
  }

  @Test
  void textOfPeopleIsNotTakenForFields() throws Exception {
    SlurmNode node = nodes("nodes-24.11.txt").get(0);

    assertThat(node.state().service()).isEqualTo(Service.DRAINED);
    assertThat(node.reason()).isEqualTo("lapwing-drain 1798854460-8");
    assertThat(node.reasonBy()).isEqualTo("root");
    assertThat(node.comment()).startsWith("rack 7, see Reason=none");
    assertThat(node.instanceId()).isEqualTo("i-0abc");
    assertThat(node.gpus()).isEqualTo(8);
    assertThat(nodes("nodes-22.05.txt").get(10).comment()).isEqualTo("c \"x\" State=IDLE");
  }

  /** As Slurm 22.05 prints a reason of two lines, a carriage return, and a comment of two lines. */
  @Test
  void lineBreaksHideNeitherANodeNorItsComment() throws Exception {
    String line = FakeSlurm.node("p5-1", "IDLE+DRAIN", FakeSlurm.reason("one"));
    List<SlurmNode> nodes =
        NodeTable.parse(line + "        two\rcr Comment=c one\nNodeName=foo two\n" + line + "\n");

    assertThat(nodes).hasSize(2).element(1).isEqualTo(NodeLine.parse(line));
    SlurmNode node = nodes.get(0);
    assertThat(node.reason()).isEqualTo("one");
    assertThat(node.comment()).isEqualTo("c one\nNodeName=foo two");
  }

  @Test
  void fieldsOfNewerVersionsAreRead() throws Exception {
    assertThat(nodes("nodes-23.11.txt"))
        .extracting(SlurmNode::instanceId)
        .containsExactly("i-0abc", "i-0def", "");
    assertThat(nodes("nodes-23.11.txt"))
        .extracting(SlurmNode::absent)
        .containsExactly(false, false, true);
    assertThat(services("nodes-23.11.txt"))
        .containsExactly(Service.IN_SERVICE, Service.OUT, Service.OUT);
    assertThat(services("nodes-24.11.txt")).containsExactly(Service.DRAINED, Service.OUT);
    assertThat(services("nodes-25.11.txt")).containsExactly(Service.OUT, Service.IN_SERVICE);
    SlurmNode rebooting = nodes("nodes-25.11.txt").get(0);
    assertThat(rebooting.state().rebooting()).isTrue();
    assertThat(SlurmPlatform.SLURM.state(rebooting).heldFor("lapwing-drain 1798854460-8")).isTrue();
  }

  @Test
  void aStateThatNobodyHereKnowsIsOutOfService() throws Exception {
    assertThat(services("nodes-26.05.txt")).containsOnly(Service.OUT);
    assertThat(nodes("nodes-26.05.txt").get(1).gpus()).isEqualTo(8); // not among the resources
  }

  private static List<Service> services(String file) throws Exception {
    return nodes(file).stream().map(node -> node.state().service()).toList();
  }

  @Test
  void theSignsOfSinfoMeanTheSame() {
    Map.of(
            "IDLE*", Service.IN_SERVICE,
            "IDLE*+DRAIN", Service.DRAINED,
            "IDLE~", Service.OUT,
            "ALLOCATED$", Service.OUT,
            "MIXED-", Service.IN_SERVICE,
            "DOWN*", Service.OUT,
            "IDLE@", Service.OUT,
            "UNKNOWN", Service.OUT,
            "", Service.OUT)
        .forEach(
            (text, service) ->
                assertThat(SlurmState.parse(text).service()).as(text).isEqualTo(service));
  }

  @Test
  void lessThanANodeIsAnErrorThatNamesTheLine() throws Exception {
    String line = Fixtures.lines("nodes-22.05.txt").get(0);
    for (String broken :
        List.of(
            "No nodes in the system",
            line.substring(0, line.indexOf(" AllocTRES=")),
            line.replace("NodeName=p5-1", "NodeName=-x"),
            line.replace("State=ALLOCATED+DRAIN ", ""),
            line.replace("BootTime=2026-11-25T18:47:33", "BootTime=yesterday"))) {
      assertThatThrownBy(() -> NodeLine.parse(broken))
          .isInstanceOf(UnreadableAnswer.class)
          .hasMessageContaining(": ");
    }
  }

  @Property
  void anyTextIsANodeOrAnError(@ForAll String text) throws Exception {
    String line = Fixtures.lines("nodes-22.05.txt").get(0);
    for (String one : List.of(text, line + text, line.replace("IDLE", text))) {
      try {
        assertThat(NodeLine.parse(one).name()).hasToString("p5-1");
      } catch (UnreadableAnswer e) {
        assertThat(e.why()).isNotEmpty();
      }
    }
  }
}
