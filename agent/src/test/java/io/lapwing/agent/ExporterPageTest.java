package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.table.CsvTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lapwing's page beside pages of dcgm-exporter, family by family and label by label. */
class ExporterPageTest {

  private static final Map<String, String> DIVIDED =
      Map.of("gpu.0.mig.mode", "1", "gpu.0.mig.instances", "3:2g.20gb@0 5:2g.20gb@2");

  private static final String FIRST_GPU = "GPU-00000000-0000-4000-8000-000000000000";

  private static final Path MIGRATING = Path.of("..", "docs", "migrating.md");

  @TempDir Path dir = Path.of("");

  static List<ExporterPage> pages() {
    return ExporterPage.all();
  }

  private TextPage page(String... flags) throws Exception {
    try (GoldenNode node = GoldenNode.with(dir.resolve("node"), 2, DIVIDED, flags)) {
      return node.agent().page();
    }
  }

  /** A pod has the first of two GPUs. */
  private TextPage pageWithPod(String... flags) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge").withoutEfa());
    node.setAll(Map.of("gpu.count", "2", "gpu.0.uuid", FIRST_GPU));
    String uid = "7e4d3c2b-1a09-4f8e-9d7c-6b5a4f3e2d1c";
    Files.createDirectories(node.rootfs().resolve("var/log/pods/ml_trainer-0_" + uid + "/main"));
    Path checkpoint =
        Files.writeString(
            dir.resolve("checkpoint"),
            """
            {"Data": {"PodDeviceEntries": [{"PodUID": "%s", "ContainerName": "main",
              "ResourceName": "nvidia.com/gpu", "DeviceIDs": {"0": ["%s"]}}]}}"""
                .formatted(uid, FIRST_GPU));
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--gpu.pod-labels");
    all.add("--jobs.kubelet-checkpoint=" + checkpoint);
    try (TestAgent agent = TestAgent.quick(node, all.toArray(String[]::new))) {
      return await()
          .atMost(TestAgent.PATIENCE)
          .until(
              agent::page,
              page -> page.value("DCGM_FI_DEV_GPU_TEMP", "pod", "trainer-0").isPresent());
    }
  }

  private record Difference(String page, String text, String said) {

    static List<Difference> all() {
      return CsvTable.read(ExporterPageTest.class, "/dcgm-exporter/differences.csv").stream()
          .map(row -> new Difference(row.text("page"), row.text("difference"), row.text("said")))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void thePageDiffersFromThatOfDcgmExporterInWhatIsSaidOnly(ExporterPage theirs) throws Exception {
    String names = "--gpu.names=" + theirs.names();
    TextPage ours = theirs.hasPods() ? pageWithPod(names) : page(names);

    Set<String> found = new TreeSet<>();
    theirs.groups().forEach(group -> compare(ours, group, found));

    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            Difference.all().stream()
                .filter(one -> one.page().equals(theirs.name()))
                .map(Difference::text)
                .toList());
  }

  private static void compare(TextPage ours, ExporterPage.Group group, Set<String> found) {
    group.types().forEach((name, type) -> compare(ours, group, name, type, found));
  }

  private static void compare(
      TextPage ours, ExporterPage.Group group, String name, String type, Set<String> found) {
    if (ours.family(name).isEmpty()) {
      found.add("no " + name);
      return;
    }
    TextPage.Family family = ours.family(name).get();
    if (!family.type().equals(type)) {
      found.add(name + " is a " + family.type());
    }
    List<TextPage.Sample> samples =
        family.samples().stream()
            .filter(sample -> ExporterPage.Of.sample(sample) == group.of())
            .toList();
    if (samples.isEmpty()) {
      found.add("no " + group.of().word() + " of " + name);
    }
    samples.forEach(sample -> labels(sample, group, found));
  }

  private static void labels(TextPage.Sample sample, ExporterPage.Group group, Set<String> found) {
    List<String> own = List.copyOf(sample.labels().keySet());
    String of = " labels of a " + group.of().word() + ": ";
    List<String> more = without(own, group.labels());
    List<String> missing = without(group.labels(), own);
    if (!more.isEmpty()) {
      found.add("more" + of + String.join(" ", more));
    }
    if (!missing.isEmpty()) {
      found.add("no" + of + String.join(" ", missing));
    }
    if (!without(own, more).equals(without(group.labels(), missing))) {
      found.add("another order of" + of + String.join(" ", own));
    }
  }

  private static List<String> without(List<String> all, List<String> others) {
    return all.stream().filter(label -> !others.contains(label)).toList();
  }

  @Test
  void eachDifferenceIsSaidInTheDocument() throws Exception {
    String document = Files.readString(MIGRATING);
    assertThat(Difference.all()).isNotEmpty().allMatch(one -> document.contains(one.said()));
    assertThat(Difference.all())
        .extracting(Difference::page)
        .isSubsetOf(pages().stream().map(ExporterPage::name).toList());
  }

  /** With the file that the exporter is installed with, its texts are on the page. */
  @Test
  void theDefaultFileGivesItsFamiliesTypesAndHelp() throws Exception {
    Path file = Recorded.file("dcgm-exporter/default-counters.csv");
    assumeTrue(Files.isReadable(file), "its default file is not beside the repository");
    List<String> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        rows.add(line);
      }
    }

    TextPage page = page("--gpu.fields=" + file);

    Set<String> expected = new TreeSet<>();
    for (String row : rows) {
      List<String> values = CsvTable.split(row);
      boolean absent = values.get(0).contains("VGPU") || values.get(1).equals("label");
      if (!absent) {
        expected.add(values.get(0) + " " + values.get(1) + " " + values.get(2));
      }
    }
    Set<String> found = new TreeSet<>();
    for (TextPage.Family family : page.families()) {
      if (family.name().startsWith("DCGM_")) {
        found.add(family.name() + " " + family.type() + " " + family.help());
      }
    }
    assertThat(found).isEqualTo(expected).hasSize(24);
  }
}
