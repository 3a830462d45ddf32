package io.lapwing.efa;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Part;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.efa.EfaTree.Driver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EfaSourceTest {

  /** The sources by name, as the poller keeps them, and all changes. */
  private static final class KnownSources implements SourceSet {
    private final Map<String, Source> byName = new LinkedHashMap<>();
    private final List<String> changes = new ArrayList<>();

    private Source of(String device) {
      return Objects.requireNonNull(byName.get("efa-" + device));
    }

    @Override
    public void add(Source source) {
      byName.putIfAbsent(source.name(), source);
      changes.add("+" + source.name());
    }

    @Override
    public void remove(String name) {
      byName.remove(name);
      changes.add("-" + name);
    }
  }

  private Path root;
  private final KnownSources sources = new KnownSources();
  private EfaTree tree;
  private EfaSource source;

  @BeforeEach
  void tree(@TempDir Path dir) {
    root = dir;
    tree = new EfaTree(dir);
    source = new EfaSource(tree.sys(), sources, CounterDemand.all());
  }

  private Access begin() {
    return source.begin(source.collectors());
  }

  private List<String> page() {
    assertThat(begin()).isEqualTo(Access.READY);
    return RecordedSink.of(source.collectors().get(0)).lines();
  }

  @Test
  void withoutRdmaDevicesNothingIsExposed() throws IOException {
    assertThat(begin()).isInstanceOf(Access.NothingHere.class);
    Files.createDirectories(root.resolve("class/infiniband"));
    assertThat(begin()).isInstanceOf(Access.NothingHere.class);
    assertThat(sources.changes).isEmpty();
  }

  @Test
  void devicesAreInTheOrderOfTheirNumbers() {
    List<String> names = List.of("rdmap79s0", "rdmap201s0", "rdmap113s0", "rdmap9s0");
    for (int i = 0; i < names.size(); i++) {
      tree.efa(names.get(i), "0000:44", "0000:4f:0" + i + ".0", Driver.V2_17);
    }
    begin();
    assertThat(sources.byName.keySet())
        .containsExactly("efa-rdmap9s0", "efa-rdmap79s0", "efa-rdmap113s0", "efa-rdmap201s0");
  }

  @Test
  void aMellanoxDeviceIsIgnored() {
    tree.efa("rdmap79s0", Driver.V2_17).mellanox("mlx5_0");
    assertThat(page()).containsExactly("lapwing_efa_devices 1");
    assertThat(sources.byName).containsOnlyKeys("efa-rdmap79s0");
  }

  @Test
  void aMellanoxDeviceAloneIsNoEfaDevice() {
    tree.mellanox("mlx5_0");
    assertThat(begin()).isInstanceOf(Access.NothingHere.class);
    assertThat(sources.byName).isEmpty();
  }

  @Test
  void withoutAVendorTheDriverDecides() {
    tree.efa("rdmap79s0", Driver.V2_17).mellanox("mlx5_0");
    tree.without("rdmap79s0", "device/vendor").without("mlx5_0", "device/vendor");
    assertThat(page()).containsExactly("lapwing_efa_devices 1");
    assertThat(sources.byName).containsOnlyKeys("efa-rdmap79s0");
  }

  @Test
  void aDeviceOfUnknownVendorIsCheckedAgain() {
    tree.efa("rdmap79s0", Driver.V2_17);
    tree.without("rdmap79s0", "device/vendor").without("rdmap79s0", "device/driver");
    tree.set("rdmap79s0", "device/vendor/folder", "");
    begin();
    RecordedSink sink = RecordedSink.of(source.collectors().get(0));
    assertThat(sink.lines()).containsExactly("lapwing_efa_devices 0");
    assertThat(sink.failures()).singleElement().asString().endsWith("device/vendor: io");

    tree.without("rdmap79s0", "device/vendor").set("rdmap79s0", "device/vendor", "0x1d0f");
    assertThat(page()).containsExactly("lapwing_efa_devices 1");
  }

  @Test
  void thirtyTwoDevicesAre32Sources() {
    IntStream.range(0, 32)
        .forEach(
            i ->
                tree.efa(
                    "rdmap" + (16 + i) + "s0",
                    "0000:44",
                    "0000:%02x:00.0".formatted(16 + i),
                    Driver.V2_17));
    assertThat(page()).containsExactly("lapwing_efa_devices 32");
    assertThat(sources.byName).hasSize(32);
    begin();
    assertThat(sources.changes).as("no source is added twice").hasSize(32);
  }

  @Test
  void aLateDeviceIsReadFromItsAppearanceOn() {
    tree.mellanox("mlx5_0");
    begin();
    tree.efa("rdmap79s0", Driver.V2_17);
    assertThat(page()).containsExactly("lapwing_efa_devices 1");
    assertThat(sources.changes).containsExactly("+efa-rdmap79s0");
  }

  @Test
  void aDeviceThatDisappearedIsReportedUntilItReturns() {
    tree.efa("rdmap79s0", Driver.V2_17).efa("rdmap80s0", "0000:44", "0000:50:00.0", Driver.V2_17);
    page();
    tree.remove("rdmap80s0");
    assertThat(page())
        .containsExactly("lapwing_efa_devices 1", "lapwing_efa_up{device=\"rdmap80s0\"} 0");
    assertThat(sources.byName).containsOnlyKeys("efa-rdmap79s0");

    tree.remove("rdmap79s0");
    assertThat(page())
        .as("the driver was unloaded")
        .containsExactly(
            "lapwing_efa_devices 0",
            "lapwing_efa_up{device=\"rdmap79s0\"} 0",
            "lapwing_efa_up{device=\"rdmap80s0\"} 0");
    assertThat(sources.byName).isEmpty();
  }

  @Test
  void aRenamedDeviceIsTheSameUnderItsNewName() {
    tree.efa("efa_0", Driver.V2_17);
    page();
    tree.rename("efa_0", "rdmap79s0");
    assertThat(page()).containsExactly("lapwing_efa_devices 1");
    assertThat(sources.changes).containsExactly("+efa-efa_0", "-efa-efa_0", "+efa-rdmap79s0");
  }

  @Test
  void anotherDeviceUnderTheSameNameGetsANewSource() {
    tree.efa("efa_0", Driver.V2_17).efa("efa_1", "0000:44", "0000:50:00.0", Driver.V2_17);
    page();
    tree.rename("efa_0", "efa_2").rename("efa_1", "efa_0");
    assertThat(page()).containsExactly("lapwing_efa_devices 2");
    assertThat(sources.byName).containsOnlyKeys("efa-efa_0", "efa-efa_2");
    assertThat(sources.changes)
        .containsExactly(
            "+efa-efa_0", "+efa-efa_1", "-efa-efa_0", "-efa-efa_1", "+efa-efa_0", "+efa-efa_2");
  }

  @Test
  void devicesThatSwappedNamesBetweenTwoPollsAreDetectedWithinAMinute() {
    tree.efa("efa_0", Driver.V2_17).efa("efa_1", "0000:44", "0000:50:00.0", Driver.V2_17);
    page();
    Source before = sources.of("efa_0");
    tree.rename("efa_0", "efa_2").rename("efa_1", "efa_0").rename("efa_2", "efa_1");
    for (int poll = 0; poll < 6; poll++) {
      page();
    }
    assertThat(sources.byName).containsOnlyKeys("efa-efa_0", "efa-efa_1");
    assertThat(sources.of("efa_0")).isNotSameAs(before);
  }

  @Test
  void aFolderThatCannotBeListedIsDown() throws IOException {
    tree.write("class/infiniband", "a file");
    assertThat(begin()).isInstanceOf(Access.Down.class);
  }

  @Test
  void aDeviceThatIsGoneBeforeItsFirstReadIsNamed() throws IOException {
    Files.createDirectories(root.resolve("class/infiniband"));
    Path link = root.resolve("class/infiniband/efa_0");
    Files.createSymbolicLink(link, root.resolve("nowhere"));
    assertThat(begin()).isEqualTo(Access.READY);
    RecordedSink sink = RecordedSink.of(source.collectors().get(0));
    assertThat(sink.lines()).containsExactly("lapwing_efa_devices 0");
    assertThat(sink.failures()).singleElement().asString().endsWith("efa_0: gone");

    Files.delete(link);
    assertThat(begin()).isInstanceOf(Access.NothingHere.class);
  }

  @Test
  void itIsAWholePart() {
    assertThat(source.name()).isEqualTo("efa");
    assertThat(source.part()).contains(Part.whole("efa"));
  }

  @Test
  void aLateGpuIsFoundInTheSlowRound() {
    tree.efa("rdmap79s0", Driver.V2_17);
    page();
    tree.gpu("0000:44", "0000:53:00.0", "0");
    RecordedSink.of(source.collectors().get(1));
    Source device = sources.of("rdmap79s0");
    device.begin(device.collectors());
    assertThat(RecordedSink.of(device.collectors().get(1)).lines().get(0))
        .contains("nearest_gpus=\"0000:53:00.0\"");
    device.close();
  }
}
