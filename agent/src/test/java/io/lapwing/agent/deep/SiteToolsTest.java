package io.lapwing.agent.deep;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteToolsTest {

  @TempDir private Path dir;

  private void install(String tool, String script) throws IOException {
    Path file = dir.resolve(tool);
    // A file that a child still holds open for writing cannot be run.
    Files.deleteIfExists(file);
    Files.writeString(file, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private ToolResult run(String tool) throws InterruptedException {
    return run(tool, new TimeLimit(Duration.ofSeconds(5), false));
  }

  private ToolResult run(String tool, TimeLimit limit) throws InterruptedException {
    return SiteTools.on("relative", Optional.of(dir), 2).run(() -> limit, 8).stream()
        .filter(result -> result.tool().equals(tool))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aMissingToolIsNoFailure() throws Exception {
    assertThat(run("dcgmi"))
        .isEqualTo(new ToolResult("dcgmi", Outcome.NOT_TESTED, "not installed"));
  }

  @Test
  void dcgmi() throws Exception {
    install("dcgmi", "[ \"$*\" = 'diag -r 2' ] && echo '| PCIe   | Pass - All |'");
    assertThat(run("dcgmi")).isEqualTo(new ToolResult("dcgmi", Outcome.PASSED, "1 tests passed"));
    install("dcgmi", "echo '| PCIe   | Pass |'; echo '| GPU Memory | Fail - GPU: 3 |'; exit 226");
    assertThat(run("dcgmi"))
        .isEqualTo(new ToolResult("dcgmi", Outcome.FAILED, "failed: GPU Memory"));
    install("dcgmi", "echo 'Error: unable to establish a connection'; exit 255");
    assertThat(run("dcgmi").outcome()).isEqualTo(Outcome.NOT_TESTED);
  }

  @Test
  void nvbandwidth() throws Exception {
    install("nvbandwidth", "echo 'SUM host_to_device_memcpy_ce 440.16'");
    assertThat(run("nvbandwidth").detail())
        .isEqualTo("all GPUs together: host_to_device_memcpy_ce 440.16 GB/s");
  }

  @Test
  void allReduce() throws Exception {
    String figures = "echo '# Out of bounds values : %s'; echo '# Avg bus bandwidth    : 187.7 '\n";
    install("all_reduce_perf", figures.formatted("0 OK"));
    assertThat(run("all_reduce_perf"))
        .isEqualTo(new ToolResult("all_reduce_perf", Outcome.PASSED, "bus bandwidth 187.7 GB/s"));
    install("all_reduce_perf", figures.formatted("12 FAILED"));
    assertThat(run("all_reduce_perf").outcome()).isEqualTo(Outcome.WRONG);
  }

  @Test
  void pingpong() throws Exception {
    install(
        "fi_pingpong",
        """
        [ $# = 4 ] && sleep 60
        echo 'bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec'
        echo '1m      10      =10      20m         0.01s   1873.24     559.77       0.00'
        """);
    assertThat(run("fi_pingpong"))
        .isEqualTo(new ToolResult("fi_pingpong", Outcome.PASSED, "largest messages 1873.24 MB/s"));
  }

  @Test
  void aToolThatHangsIsKilled() throws Exception {
    install("nvbandwidth", "sleep 60 & wait");
    long before = System.nanoTime();
    assertThat(run("nvbandwidth"))
        .isEqualTo(new ToolResult("nvbandwidth", Outcome.HUNG, "no end within 5.0 s"));
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void aToolForWhichNoTimeWasLeftIsNotHung() throws Exception {
    install("nvbandwidth", "sleep 60 & wait");
    TimeLimit left = TimeLimit.of(Duration.ofMinutes(2), Duration.ofMillis(500));

    assertThat(run("nvbandwidth", left))
        .isEqualTo(
            new ToolResult(
                "nvbandwidth", Outcome.NOT_TESTED, "no end within 0.5 s: no time was left"));
  }
}
