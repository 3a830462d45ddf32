package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

class StateFileTest {
  private static @Nullable Path dir;
  private static @Nullable SimulatedNode node;
  private static @Nullable Nvml nvml;

  @BeforeContainer
  static void openNode() throws IOException {
    dir = Files.createTempDirectory("lapwing-state");
    node = TestNode.p5(dir);
    nvml = Nvml.of(node);
  }

  @AfterContainer
  static void closeNode() throws IOException {
    if (nvml != null) {
      nvml.close();
    }
    if (dir != null) {
      try (var files = Files.walk(dir)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  private static Nvml library() {
    if (nvml == null) {
      throw new IllegalStateException("no library");
    }
    return nvml;
  }

  private static void write(String text) throws IOException {
    if (node == null) {
      throw new IllegalStateException("no node");
    }
    Path next = node.state().resolveSibling("next");
    String whole = "check.seconds = 0\n" + text + "\n# " + System.nanoTime();
    Files.write(next, whole.getBytes(StandardCharsets.UTF_8));
    Files.move(
        next, node.state(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Property(tries = 200)
  void noTextInTheStateFileBreaksTheLibrary(@ForAll String text) throws IOException {
    write(text);
    assertThat(library().call("lapwing_ignored_lines")).isNotNegative();
  }

  @Property(tries = 200)
  void noValueBreaksTheLibrary(@ForAll("values") String value) throws IOException {
    write("gpu.count = 1\ngpu.*.temperature = " + value);
    library().call("nvmlShutdown");
    library().call("nvmlInit_v2");
    assertThat(library().temperatureCode(library().device(0))).isIn(0, 3);
  }

  @Provide
  Arbitrary<String> values() {
    return Arbitraries.of(
            "1",
            "-2",
            "5/s",
            "~",
            "3",
            "+",
            "-",
            "..",
            "max",
            "min",
            "since",
            "load",
            "power",
            "0x10",
            "unsupported",
            "derived",
            "*",
            "1e300",
            "nan",
            "temperature",
            "inf",
            "9".repeat(400))
        .list()
        .ofMaxSize(7)
        .map(words -> String.join(" ", words));
  }

  @Property(tries = 1)
  void aGarbledLineIsIgnoredAndTheOthersCount() throws IOException {
    write(
        """
        gpu.count = 2
        gpu.count = many
        gpu.0.temperature 41
        gpu.0.temperature = 41 + + 2
        gpu.99.temperature = 41
        gpu.0.return.nvmlNoSuchCall = 3
        event.x = 1 xid 3
        what = ever
        gpu.0.temperature = 41 # warm
        """);
    assertThat(library().call("lapwing_ignored_lines")).isEqualTo(7);
    library().call("nvmlShutdown");
    library().call("nvmlInit_v2");
    assertThat(library().temperature(library().device(0))).isEqualTo(41);
  }
}
