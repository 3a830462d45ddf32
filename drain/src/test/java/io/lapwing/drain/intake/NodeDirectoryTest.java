package io.lapwing.drain.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.intake.NodeResolver.Found;
import io.lapwing.drain.intake.NodeResolver.NotFound;
import io.lapwing.drain.intake.NodeResolver.NotYet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeDirectoryTest {

  private final NodeDirectory nodes = new NodeDirectory();

  private void known() {
    nodes.update(
        Nodes.view(
            List.of(
                Nodes.node("gpu-17", "i-0123456789abcdef0"),
                Nodes.node("ip-10-0-0-1.ec2.internal", ""),
                Nodes.node("ip-10-0-0-2", ""),
                Nodes.node("p5-st-a-1", ""),
                Nodes.node("twin.rack-a", ""),
                Nodes.node("twin.rack-b", ""))),
        Map.of("ip-10-0-9-9.ec2.internal", new NodeName("p5-st-a-1")));
  }

  @ParameterizedTest
  @CsvSource({
    "gpu-17, gpu-17",
    "GPU-17, gpu-17",
    "gpu-17:9754, gpu-17",
    "gpu-17.cluster.example, gpu-17",
    "i-0123456789abcdef0, gpu-17",
    "ip-10-0-0-1.ec2.internal, ip-10-0-0-1.ec2.internal",
    "ip-10-0-0-1.ec2.internal:9754, ip-10-0-0-1.ec2.internal",
    "ip-10-0-0-1, ip-10-0-0-1.ec2.internal",
    "10.0.0.1:9754, ip-10-0-0-1.ec2.internal",
    "10.0.0.2, ip-10-0-0-2",
    "ip-10-0-0-2.us-west-2.compute.internal, ip-10-0-0-2",
    "ip-10-0-9-9.ec2.internal, p5-st-a-1",
    "twin.rack-a, twin.rack-a",
  })
  void aNodeIsFoundByEachOfItsNames(String label, String node) {
    known();

    assertThat(nodes.resolve(label)).isEqualTo(new Found(new NodeName(node)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu-18",
        "gpu",
        "10.0.0.3",
        "ip-10-0-0-1.us-west-2.compute.internal",
        "i-0123456789abcdef",
        "-w",
        "gpu-[1-17]",
        "gpu-17 gpu-18",
        "gpu-17;reboot",
        "$(reboot)",
        "",
        "../gpu-17",
        "gpu-17\nx"
      })
  void whatTheSchedulerDoesNotListIsNotFound(String label) {
    known();

    assertThat(nodes.resolve(label)).isInstanceOf(NotFound.class);
  }

  @Test
  void aNameOfTwoNodesIsNeither() {
    known();

    assertThat(nodes.resolve("twin"))
        .isEqualTo(new NotFound("twin is the name of 2 nodes: [twin.rack-a, twin.rack-b]"));
  }

  @Test
  void nothingIsDecidedBeforeTheSchedulerHasAnswered() {
    assertThat(nodes.resolve("gpu-17")).isEqualTo(new NotYet());
  }
}
