package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.preset.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeepListTest {

  @Test
  void seriesReadByExpressionsAndAlertTextsAreKept(@TempDir Path folder) throws IOException {
    assertThat(
            list(
                    folder,
                    """
                    groups:
                      - rules:
                          - record: instance:lapwing_gpus:sum
                            expr: sum by (instance) (lapwing_gpus) / instance:lapwing_other:sum
                          - alert: A
                            expr: rate(lapwing_steps_total[5m]) > lapwing_drain_paused and up{job="lapwing"}
                            annotations:
                              description: '{{ range query "DCGM_FI_DEV_GPU_TEMP > 80" }}'
                              runbook_url: https://lapwing.example/lapwing_no.md
                    """)
                .names())
        .containsExactly("DCGM_FI_DEV_GPU_TEMP", "lapwing_gpus", "lapwing_steps_total");
  }

  @Test
  void theFileThatIsWrittenKeepsTheseNamesAndNoOthers(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("keep.yml");
    KeepList list = list(folder, "expr: lapwing_one + lapwing_two_bucket");
    Files.writeString(file, list.yaml("a test"));
    Pattern kept = KeepList.read(file);
    assertThat(Stream.of("lapwing_one", "lapwing_two_bucket")).allMatch(kept.asMatchPredicate());
    assertThat(Stream.of("lapwing_two", "lapwing_one_more", "", " lapwing_one"))
        .noneMatch(kept.asMatchPredicate());
  }

  /** A keep-list that misses a series would silence a rule without a word. */
  @Test
  void theShippedKeepListsHaveAllThatTheShippedRulesAndDashboardsRead() throws IOException {
    Path root = root();
    Stream<Path> rules = KeepList.rules(root).stream();
    Stream<Path> dashboards = KeepList.files(root.resolve("grafana-dashboards"), ".json").stream();
    assertKept(root, "rules.yml", rules);
    assertKept(root, "core.yml", KeepList.coreRules(root).stream());
    assertKept(root, "rules-and-dashboards.yml", dashboards);
  }

  /** A rule that reads a family which a preset leaves out would never fire. */
  @Test
  void thePresetsOfTheAgentAreThoseOfTheShippedFiles() throws IOException {
    Path root = root();

    assertThat(Files.readString(PresetFamilies.file(root)))
        .as("tools/bench/fleet --keep-lists rewrites presets.csv")
        .isEqualTo(PresetFamilies.of(root).csv());
  }

  @Test
  void eachPresetHasWhatItsReadersName() throws IOException {
    Path root = root();
    Set<String> known = PresetFamilies.known(root);
    assertThat(
            PresetFamilies.families(
                KeepList.of(PresetFamilies.rules(root).stream()).names(), known))
        .hasSizeGreaterThan(50)
        .allMatch(Preset.MINIMAL::has)
        .allMatch(Preset.STANDARD::has);
    assertThat(
            PresetFamilies.families(
                KeepList.of(PresetFamilies.dashboards(root).stream()).names(), known))
        .hasSizeGreaterThan(100)
        .allMatch(Preset.STANDARD::has);
    assertThat(known).allMatch(Preset.FULL::has).anyMatch(name -> !Preset.STANDARD.has(name));
  }

  private static void assertKept(Path root, String list, Stream<Path> readers) throws IOException {
    assertThat(KeepList.of(readers).names())
        .as("tools/bench/fleet --keep-lists rewrites " + list)
        .allMatch(KeepList.read(root.resolve("alert-rules/keep").resolve(list)).asMatchPredicate());
  }

  private static KeepList list(Path folder, String yaml) throws IOException {
    Path file = folder.resolve("rules.yml");
    Files.writeString(file, yaml);
    return KeepList.of(Stream.of(file));
  }

  private static Path root() {
    // Maven runs a module's tests in its folder, an editor perhaps in the repository's.
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("lapwing")) ? here : here.resolve("../..").normalize();
  }
}
