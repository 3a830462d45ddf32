package io.lapwing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerTreeTest {

  @Test
  void eachDeviceHasAsManyCountersAsAskedFor(@TempDir Path dir) throws IOException {
    Path sys = PeerTree.write(dir, EfaSideBySide.COUNTERS);
    for (int device = 0; device < PeerTree.DEVICES; device++) {
      Path port = sys.resolve("class/infiniband/mlx5_" + device + "/ports/1");
      assertThat(files(port.resolve("counters")) + files(port.resolve("counters_ext")))
          .isEqualTo(36);
    }
  }

  private static long files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
