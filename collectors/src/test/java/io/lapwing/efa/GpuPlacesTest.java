package io.lapwing.efa;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuPlacesTest {

  private static final Path EFA = Path.of("/sys/devices/pci0000:44/0000:44:01.0/0000:4f:00.0");

  private static GpuPlaces.Place gpu(String address, String folder, String numaNode) {
    return GpuPlaces.Place.in(Path.of("/sys/devices/" + folder), address, numaNode);
  }

  @Test
  void theGpusUnderTheLowestCommonBridgeAreNearest() {
    GpuPlaces gpus =
        new GpuPlaces(
            List.of(
                gpu("0000:53:00.0", "pci0000:44/0000:44:01.0/0000:53:00.0", "0"),
                gpu("0000:54:00.0", "pci0000:44/0000:44:01.0/0000:54:00.0", "0"),
                gpu("0000:64:00.0", "pci0000:44/0000:44:02.0/0000:64:00.0", "0"),
                gpu("0000:75:00.0", "pci0000:70/0000:70:01.0/0000:75:00.0", "0")));
    assertThat(gpus.nearest(EFA, "0")).containsExactly("0000:53:00.0", "0000:54:00.0");
  }

  @Test
  void aCommonRootOfThePciTreeIsEnough() {
    GpuPlaces gpus =
        new GpuPlaces(
            List.of(
                gpu("0000:64:00.0", "pci0000:44/0000:44:02.0/0000:64:00.0", "1"),
                gpu("0000:75:00.0", "pci0000:70/0000:70:01.0/0000:75:00.0", "0")));
    assertThat(gpus.nearest(EFA, "0")).containsExactly("0000:64:00.0");
  }

  @Test
  void withoutACommonTreeTheNumaNodeDecides() {
    GpuPlaces gpus =
        new GpuPlaces(
            List.of(
                gpu("0000:64:00.0", "pci0000:60/0000:64:00.0", "1"),
                gpu("0000:75:00.0", "pci0000:70/0000:75:00.0", "0"),
                gpu("0000:86:00.0", "pci0000:80/0000:86:00.0", "-1")));
    assertThat(gpus.nearest(EFA, "0")).containsExactly("0000:75:00.0");
    assertThat(gpus.nearest(EFA, "")).isEmpty();
    assertThat(GpuPlaces.NONE.nearest(EFA, "0")).isEmpty();
  }

  @Test
  void theNearestGpusOfADeviceFollowTheirPlaces() {
    AtomicReference<GpuPlaces> gpus = new AtomicReference<>(GpuPlaces.NONE);
    GpuPlaces.Nearest nearest = new GpuPlaces.Nearest(EFA, gpus::get);
    assertThat(nearest.of("0")).isEmpty();

    gpus.set(
        new GpuPlaces(
            List.of(
                gpu("0000:64:00.0", "pci0000:60/0000:64:00.0", "1"),
                gpu("0000:75:00.0", "pci0000:70/0000:75:00.0", "0"))));

    List<String> found = nearest.of("0");
    assertThat(found).containsExactly("0000:75:00.0");
    assertThat(nearest.of("0")).isSameAs(found);
    assertThat(nearest.of("1")).containsExactly("0000:64:00.0");
    gpus.set(GpuPlaces.NONE);
    assertThat(nearest.of("1")).isEmpty();
  }

  @Test
  void onlyNvidiaDisplayControllersAreGpus(@TempDir Path root) {
    EfaTree tree =
        new EfaTree(root)
            .efa("rdmap79s0", EfaTree.Driver.V2_17)
            .mellanox("mlx5_0")
            .gpu("0000:44", "0000:53:00.0", "0")
            .gpu("0000:60", "0000:64:00.0", "1")
            .write("devices/pci0000:60/0000:60:01.0/0000:64:00.0/class", "0x068000\n");
    assertThat(GpuPlaces.read(tree.sys()).places())
        .extracting(GpuPlaces.Place::address)
        .containsExactly("0000:53:00.0");
    assertThat(GpuPlaces.read(new EfaTree(root.resolve("none")).sys())).isEqualTo(GpuPlaces.NONE);
  }
}
