package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfProcessTest {

  @Test
  void aCommandWithSpacesAndParenthesesIsSkipped(@TempDir Path self) throws Exception {
    Files.writeString(
        self.resolve("stat"), "7 (a) b (c) S 1 7 7 0 -1 4194304 1 2 3 4 150 50 0 0 20 0 9 0 1 2\n");
    Files.writeString(
        self.resolve("status"), "Name:\ta\nVmSize:\t   4096 kB\nVmRSS:\t   2048 kB\nThreads:\t9\n");
    Files.writeString(
        self.resolve("limits"),
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            1024                 unlimited            files
        Max address space         unlimited            unlimited            bytes
        """);
    Files.createDirectory(self.resolve("fd"));
    for (int i = 0; i < 4; i++) {
      Files.createFile(self.resolve("fd").resolve(String.valueOf(i)));
    }

    assertThat(ProcessCollector.SelfProcess.read(self, new DescriptorCount(self.resolve("fd"))))
        .isEqualTo(
            new ProcessCollector.SelfProcess(
                2.0, 2048 * 1024, 4096 * 1024, Double.POSITIVE_INFINITY, 9, 3, 1024));
  }

  @Test
  void noLimitIsInfinite(@TempDir Path self) throws Exception {
    Files.writeString(self.resolve("stat"), "7 (a) S 1 7 7 0 -1 4194304 1 2 3 4 0 0 0 0 20 0 9\n");
    Files.writeString(self.resolve("status"), "VmRSS:\t1 kB\nThreads:\t9\n");
    Files.writeString(self.resolve("limits"), "Max open files  unlimited   unlimited  files\n");
    Files.createDirectory(self.resolve("fd"));

    assertThat(
            ProcessCollector.SelfProcess.read(self, new DescriptorCount(self.resolve("fd")))
                .maxFds())
        .isInfinite();
  }

  @Test
  void theRealProcessHasRunAndHoldsMemory() throws Exception {
    ProcessCollector.SelfProcess self =
        ProcessCollector.SelfProcess.read(
            Path.of("/proc/self"), new DescriptorCount(Path.of("/proc/self/fd")));

    assertThat(self.cpuSeconds()).isPositive();
    assertThat(self.residentBytes()).isGreaterThan(1 << 20);
    assertThat(self.virtualBytes()).isGreaterThan(self.residentBytes());
    assertThat(self.maxVirtualBytes()).isGreaterThanOrEqualTo(self.virtualBytes());
    assertThat(self.threads()).isGreaterThan(1);
    assertThat(self.openFds()).isBetween(3.0, self.maxFds());
  }
}
