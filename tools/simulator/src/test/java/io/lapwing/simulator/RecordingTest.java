package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RecordingTest {

  private static final String LINES =
      """
      # differs: gpu.0: something
      driver.version = 590.48.01
      gpu.count = 2
      gpu.0.name = NVIDIA H200
      gpu.0.bus_id = 0000:AB:00.0
      gpu.0.pcie.generation.max = 5
      gpu.1.temperature = 41
      gpu.1.processes =
      """;

  private final Path dir;

  RecordingTest(@TempDir Path dir) {
    this.dir = dir;
  }

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("idle.state"), text);
  }

  @Test
  void itsGpusAreThoseOfTheNode() throws IOException {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), Recording.read(file(LINES)));
    assertThat(node.type().gpuCount()).isEqualTo(2);
    assertThat(node.sysfs().resolve("bus/pci/devices/0000:ab:00.0/max_link_speed"))
        .content()
        .contains("32.0 GT/s PCIe");
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.text("nvmlDeviceGetName", nvml.device(0))).isEqualTo("NVIDIA H200");
      assertThat(nvml.temperature(nvml.device(1))).isEqualTo(41);
      assertThat(nvml.call("lapwing_ignored_lines")).isZero();
    }
  }

  @Test
  void anotherFileIsNamed() throws IOException {
    assertThatThrownBy(() -> Recording.read(file("gpu.0.name = H200\n")))
        .hasMessageContaining("idle.state is no recording: it has no line gpu.count");
    assertThatThrownBy(() -> Recording.read(file("gpu.count = 2\nhello\n")))
        .hasMessageContaining("idle.state: not a line of a recording: hello");
  }

  @Test
  void theCommandPlaysIt() throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        SimulateMain.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    Path node = dir.resolve("node");
    String recording = file(LINES).toString();
    assertThat(command.execute("--recording", recording, "--out", node.toString())).isZero();
    assertThat(node.resolve("state")).content().contains("gpu.1.temperature = 41");
    assertThat(command.execute("--recording", "/nowhere", "--out", node.toString())).isEqualTo(2);
    assertThat(err).asString().contains("/nowhere cannot be read");
  }
}
