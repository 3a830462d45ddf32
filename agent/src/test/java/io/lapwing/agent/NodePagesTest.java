package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.web.NodeReport;
import io.lapwing.simulator.InstanceType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the agent exposes of each instance type while it is healthy: all families of the default
 * preset, and by how far the full one differs from that of a p5.48xlarge. Run with {@code
 * -Dgolden.update} to write the files, then read the difference.
 */
class NodePagesTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden");
  private static final int HOPPER = 9;

  static Stream<String> types() {
    return InstanceType.all().stream().map(InstanceType::name);
  }

  @ParameterizedTest
  @MethodSource("types")
  void aHealthyNodeHasThePageOfItsTypeAndNoFindings(String name, @TempDir Path dir)
      throws Exception {
    InstanceType type = InstanceType.named(name);
    try (GoldenNode node = GoldenNode.whole(dir, type)) {
      TextPage standard = page(node, Preset.STANDARD);
      TextPage full = page(node, Preset.FULL);

      hasTheHardwareOfTheInventory(node, type);
      hasActivityOrTheReasonWhyNot(standard, type);
      assertThat(node.agent().wiring().health().report().findings()).isEmpty();
      assertThat(node.agent().wiring().health().report().verdict()).isEqualTo(Verdict.HEALTHY);
      holds(type, text(type, standard, full));
    }
  }

  private static TextPage page(GoldenNode node, Preset preset) {
    return TextPage.parse(node.agent().wiring().page().page(PageFormat.TEXT_0_0_4, preset));
  }

  private static void hasTheHardwareOfTheInventory(GoldenNode node, InstanceType type) {
    NodeReport report = (NodeReport) node.agent().wiring().content().node().get();
    NodeReport.Hardware listed = report.expected().instanceType().orElseThrow();

    assertThat(report.node().instanceType()).isEqualTo(type.name());
    assertThat(listed.gpus()).isEqualTo(type.gpuCount());
    assertThat(report.present().gpus()).contains(type.gpuCount());
    assertThat(type.gpu().name()).contains(listed.gpuModel());
    assertThat(listed.efaDevices()).isEqualTo(type.efaCount());
    // A family without series is absent.
    assertThat(page(node, Preset.STANDARD).value("lapwing_efa_devices").orElse(0.0))
        .isEqualTo(type.efaCount());
    // Of this type AWS says two things, so nothing is expected.
    boolean conflicting = listed.certainty().equals("conflicting");
    assertThat(report.expected().efaDevices().isPresent()).isEqualTo(!conflicting);
    for (TextPage.Sample total : page(node, Preset.STANDARD).samples("DCGM_FI_DEV_FB_TOTAL")) {
      assertThat(total.value() / listed.gpuMemoryMiB()).isBetween(0.98, 1.02);
    }
  }

  private static void hasActivityOrTheReasonWhyNot(TextPage page, InstanceType type) {
    Set<String> activity =
        page.families().stream()
            .map(TextPage.Family::name)
            .filter(name -> name.startsWith("DCGM_FI_PROF_"))
            .collect(Collectors.toSet());
    boolean gpm = Integer.parseInt(type.gpu().state().getOrDefault("architecture", "9")) >= HOPPER;

    assertThat(activity.isEmpty()).isEqualTo(!gpm);
    assertThat(page.samples("lapwing_gpu_activity_info"))
        .hasSize(gpm ? 0 : type.gpuCount())
        .allMatch(info -> info.label("source").equals("none") && !info.label("reason").isEmpty());
  }

  private static String text(InstanceType type, TextPage standard, TextPage full) throws Exception {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s with %d %s: family, type, number of series, labels; --metrics=standard%n%n"
            .formatted(type.name(), type.gpuCount(), type.gpu().name()));
    standard.families().forEach(family -> text.append(line(family)).append('\n'));
    Set<String> own = names(full);
    Set<String> p5 = names(TextPage.parse(Files.readAllBytes(GOLDEN.resolve("healthy.txt"))));
    text.append("\nCompared with p5.48xlarge, --metrics=full has (+) and has not (-)\n\n");
    Stream.concat(own.stream(), p5.stream())
        .distinct()
        .sorted()
        .filter(name -> own.contains(name) != p5.contains(name))
        .forEach(name -> text.append(own.contains(name) ? "+ " : "- ").append(name).append('\n'));
    return text.toString();
  }

  private static Set<String> names(TextPage page) {
    return page.families().stream()
        .map(TextPage.Family::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String line(TextPage.Family family) {
    Set<String> labels = new TreeSet<>();
    family.samples().forEach(sample -> labels.addAll(sample.labels().keySet()));
    return "%s %s %d  %s"
        .formatted(family.name(), family.type(), family.samples().size(), String.join(" ", labels))
        .strip();
  }

  private static void holds(InstanceType type, String text) throws Exception {
    Path golden = GOLDEN.resolve("nodes").resolve(type.name() + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(golden.getParent());
      Files.writeString(golden, text);
    }
    assertThat(golden).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(text).isEqualTo(Files.readString(golden));
  }
}
