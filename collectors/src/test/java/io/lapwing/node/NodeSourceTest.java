package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.SysRoot;
import io.lapwing.nvml.StillNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeSourceTest {

  private Path dir;

  @BeforeEach
  void folder(@TempDir Path folder) {
    dir = folder;
  }

  private void dmi(String file, String text) throws IOException {
    Path path = dir.resolve("class/dmi/id").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  private NodeIdentity identity() {
    return NodeIdentity.read("node-1", new SysRoot(dir));
  }

  private List<String> page(boolean libraryIsSimulated) {
    NodeSource source = new NodeSource(new SysRoot(dir), identity(), () -> libraryIsSimulated);
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0)).lines();
  }

  private static String info(String type, String id) {
    return "lapwing_node_info{hostname=\"node-1\",instance_type=\"%s\",instance_id=\"%s\"} 1"
        .formatted(type, id);
  }

  @Test
  void anInstanceIsNamedByItsType() throws IOException {
    dmi("sys_vendor", "Amazon EC2");
    dmi("product_name", "p5.48xlarge");
    dmi("board_asset_tag", "i-0123456789abcdef0");
    assertThat(identity())
        .isEqualTo(new NodeIdentity("node-1", "p5.48xlarge", "i-0123456789abcdef0", "Amazon EC2"));
    assertThat(page(false))
        .containsExactly(info("p5.48xlarge", "i-0123456789abcdef0"), "lapwing_simulated 0");
  }

  @Test
  void aMachineOfAnotherVendorHasNoInstanceType() throws IOException {
    dmi("sys_vendor", "Supermicro");
    dmi("product_name", "SYS-821GE");
    dmi("board_asset_tag", "none of our business");
    assertThat(identity()).isEqualTo(new NodeIdentity("node-1", "", "", "Supermicro"));
  }

  @Test
  void withoutDmiNothingIsKnownButTheHostname() {
    assertThat(identity()).isEqualTo(new NodeIdentity("node-1", "", "", ""));
    assertThat(page(false)).containsExactly(info("", ""), "lapwing_simulated 0");
  }

  @Test
  void aSimulatedLibraryMakesTheNodeSimulated() {
    assertThat(page(true)).contains("lapwing_simulated 1");
  }

  @Test
  void aSimulatedTreeMakesTheNodeSimulated() {
    SysRoot sys = new SysRoot(StillNode.p5(dir).sysfs());
    NodeSource source = new NodeSource(sys, NodeIdentity.read("node-1", sys), () -> false);
    assertThat(source.simulated()).isTrue();
    assertThat(source.identity().instanceType()).isEqualTo("p5.48xlarge");
  }
}
