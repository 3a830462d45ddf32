package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorCountTest {

  @Test
  void anOpenedFileCounts() throws Exception {
    DescriptorCount count = new DescriptorCount(Path.of("/proc/self/fd"));
    double before = count.now();
    List<InputStream> opened = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        opened.add(Files.newInputStream(Path.of("/dev/null")));
      }

      assertThat(count.now() - before).isBetween(150.0, 250.0);
    } finally {
      for (InputStream one : opened) {
        one.close();
      }
    }
  }

  @Test
  void theSizeOfAnOrdinaryFolderIsNotTakenForACount(@TempDir Path folder) throws Exception {
    for (int i = 0; i < 4; i++) {
      Files.createFile(folder.resolve(String.valueOf(i)));
    }
    DescriptorCount count = new DescriptorCount(folder);

    assertThat(count.now()).isEqualTo(3);
    assertThat(count.now()).isEqualTo(3);
  }
}
