package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.SysFs;
import io.lapwing.node.Imds.ImdsItem;
import io.lapwing.node.NodeIdentity.Configured;
import io.lapwing.nvml.StillNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeSourceTest {

  private static final Inventory BY_TYPE =
      new Inventory(InstanceTypes.load(), OptionalInt.empty(), OptionalInt.empty());

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

  private void instance(String type) throws IOException {
    dmi("sys_vendor", "Amazon EC2");
    dmi("product_name", type);
    dmi("board_asset_tag", "i-0123456789abcdef0");
  }

  private NodeIdentity identity(String type, String id) {
    return NodeIdentity.read("node-1", new Configured(type, id), new SysFs(dir));
  }

  private NodeIdentity identity() {
    return identity("", "");
  }

  private NodeSource source(Inventory inventory, boolean libraryIsSimulated) {
    return new NodeSource(
        new SysFs(dir), new Identification(identity()), inventory, () -> libraryIsSimulated);
  }

  private static List<String> lines(NodeSource source) {
    assertThat(source.begin(source.collectors())).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0)).lines();
  }

  private List<String> page(boolean libraryIsSimulated) {
    return lines(source(BY_TYPE, libraryIsSimulated));
  }

  private static String info(String type, String id) {
    return info(type, id, "", "", "", "");
  }

  private static String info(
      String type, String id, String region, String zone, String zoneId, String lifecycle) {
    return "lapwing_node_info{hostname=\"node-1\",instance_type=\"%s\",instance_id=\"%s\",region=\"%s\",availability_zone=\"%s\",availability_zone_id=\"%s\",lifecycle=\"%s\",cluster_uuid=\"\",clique_id=\"\"} 1"
        .formatted(type, id, region, zone, zoneId, lifecycle);
  }

  @Test
  void anInstanceIsExpectedToHaveTheHardwareOfItsType() throws IOException {
    instance("p5.48xlarge");

    assertThat(identity())
        .isEqualTo(
            new NodeIdentity(
                "node-1",
                new NodeIdentity.Fact("p5.48xlarge", Origin.DMI),
                new NodeIdentity.Fact("i-0123456789abcdef0", Origin.DMI),
                "Amazon EC2",
                NodeIdentity.Placement.UNKNOWN));
    assertThat(identity().onEc2()).isTrue();
    assertThat(page(false))
        .containsExactly(
            info("p5.48xlarge", "i-0123456789abcdef0"),
            "lapwing_node_expected_gpus 8",
            "lapwing_node_expected_efa_devices 32",
            "lapwing_node_expected_gpu_memory_bytes 85899345920",
            "lapwing_node_expected_nvlinks_per_gpu 18",
            "lapwing_node_expected_efa_device_bytes_per_second 12500000000",
            "lapwing_node_gpu_peak_flops{precision=\"bf16\"} 989000000000000",
            "lapwing_node_gpu_peak_flops{precision=\"fp8\"} 1979000000000000",
            "lapwing_simulated 0");
  }

  @Test
  void unknownOrAbsentHardwareIsNotExpected() throws IOException {
    instance("g7e.2xlarge");
    assertThat(page(false))
        .contains("lapwing_node_expected_efa_devices 0", "lapwing_node_expected_nvlinks_per_gpu 0")
        .noneMatch(line -> line.contains("flops") || line.contains("bytes_per_second"));

    dmi("product_name", "p6e-gb200.36xlarge");
    assertThat(page(false))
        .contains("lapwing_node_expected_gpus 4")
        .noneMatch(line -> line.startsWith("lapwing_node_expected_efa_devices"));
  }

  @Test
  void theConfigurationOverridesTheExpectedHardware() throws IOException {
    Inventory asked = new Inventory(InstanceTypes.load(), OptionalInt.of(2), OptionalInt.of(0));
    assertThat(lines(source(asked, false)))
        .containsExactly(
            info("", ""),
            "lapwing_node_expected_gpus 2",
            "lapwing_node_expected_efa_devices 0",
            "lapwing_simulated 0");

    instance("p5.48xlarge");
    assertThat(lines(source(asked, false)))
        .contains("lapwing_node_expected_gpus 2", "lapwing_node_expected_nvlinks_per_gpu 18");
  }

  @Test
  void theConfigurationOverridesTheIdentity() throws IOException {
    instance("p5.48xlarge");

    assertThat(identity("ml.p4d.24xlarge", "").instanceType())
        .isEqualTo(new NodeIdentity.Fact("p4d.24xlarge", Origin.CONFIGURATION));
    assertThat(identity("ml.p4d.24xlarge", "").instanceId().origin()).isEqualTo(Origin.DMI);
    assertThat(identity("", "i-1").instanceId())
        .isEqualTo(new NodeIdentity.Fact("i-1", Origin.CONFIGURATION));
  }

  @Test
  void laterValuesOfTheMetadataServiceAreExported() {
    Identification identification = new Identification(identity());
    NodeSource source = new NodeSource(new SysFs(dir), identification, BY_TYPE, () -> false);
    assertThat(lines(source)).containsExactly(info("", ""), "lapwing_simulated 0");

    identification.update(
        Map.of(
            ImdsItem.INSTANCE_TYPE, "g6.48xlarge",
            ImdsItem.INSTANCE_ID, "i-0",
            ImdsItem.REGION, "eu-north-1",
            ImdsItem.AVAILABILITY_ZONE, "eu-north-1b",
            ImdsItem.AVAILABILITY_ZONE_ID, "eun1-az2",
            ImdsItem.LIFECYCLE, "spot"));

    assertThat(lines(source))
        .contains(
            info("g6.48xlarge", "i-0", "eu-north-1", "eu-north-1b", "eun1-az2", "spot"),
            "lapwing_node_expected_gpus 8");
    assertThat(source.expectation().efaDevices()).hasValue(1);
  }

  @Test
  void theSameIdentityHasTheSameLabelsInEveryRound() {
    NodeSource source = source(BY_TYPE, false);
    RecordedSink one = RecordedSink.of(source.collectors().get(0));
    RecordedSink other = RecordedSink.of(source.collectors().get(0));

    assertThat(one.samples().get(0).labels()).isSameAs(other.samples().get(0).labels());
  }

  @Test
  void aMachineOfAnotherVendorHasNoInstanceType() throws IOException {
    dmi("sys_vendor", "Supermicro");
    dmi("product_name", "SYS-821GE");
    dmi("board_asset_tag", "none of our business");

    assertThat(identity())
        .isEqualTo(
            new NodeIdentity(
                "node-1",
                NodeIdentity.Fact.UNKNOWN,
                NodeIdentity.Fact.UNKNOWN,
                "Supermicro",
                NodeIdentity.Placement.UNKNOWN));
    assertThat(identity().onEc2()).isFalse();
  }

  @Test
  void withoutDmiOnlyTheHostnameIsKnown() {
    assertThat(identity())
        .isEqualTo(
            new NodeIdentity(
                "node-1",
                NodeIdentity.Fact.UNKNOWN,
                NodeIdentity.Fact.UNKNOWN,
                "",
                NodeIdentity.Placement.UNKNOWN));
    assertThat(page(false)).containsExactly(info("", ""), "lapwing_simulated 0");
  }

  @Test
  void aSimulatedLibraryMakesTheNodeSimulated() {
    assertThat(page(true)).contains("lapwing_simulated 1");
  }

  @Test
  void aSimulatedTreeMakesTheNodeSimulated() {
    dir = StillNode.p5(dir).sysfs();

    assertThat(source(BY_TYPE, false).simulated()).isTrue();
    assertThat(identity().instanceType().text()).isEqualTo("p5.48xlarge");
  }
}
