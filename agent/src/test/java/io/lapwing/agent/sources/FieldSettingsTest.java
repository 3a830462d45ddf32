package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.lapwing.common.config.ConfigException;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuView.FieldSelection;
import io.lapwing.gpu.LabelField;
import io.lapwing.metric.Metric;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --gpu.fields} with the YAML configuration of dcgm-exporter; FieldFileTest has its CSV. */
class FieldSettingsTest {

  private static final Path EXAMPLES = Path.of("src/test/resources/dcgm-exporter");

  @TempDir Path dir = Path.of("");

  private static FieldSettings read(Path file) throws ConfigException {
    return FieldSettings.read(Optional.of(file));
  }

  private List<String> problems(String yaml) throws Exception {
    Path file = Files.writeString(dir.resolve("fields.yaml"), yaml);
    try {
      throw new AssertionError("no problem in " + read(file));
    } catch (ConfigException wrong) {
      return wrong.problems().stream().map(problem -> problem.replace(dir + "/", "")).toList();
    }
  }

  private List<String> warnings(String yaml) throws Exception {
    Path file = Files.writeString(dir.resolve("fields.yaml"), yaml);
    return read(file).warnings().stream()
        .map(warning -> warning.replace(dir + "/", ""))
        .filter(warning -> !warning.contains("cadence."))
        .toList();
  }

  private static boolean shows(FieldSettings settings, Metric metric) {
    return settings.selection().shown(metric) != null;
  }

  @Test
  void version1NamesAFieldFileBesideIt() throws Exception {
    FieldSettings settings = read(EXAMPLES.resolve("fields-v1.yaml"));

    assertThat(shows(settings, DcgmMetrics.GPU_TEMP)).isTrue();
    assertThat(shows(settings, DcgmMetrics.SM_CLOCK)).isFalse();
    assertThat(settings.labels()).containsExactly(LabelField.DRIVER_VERSION);
    assertThat(settings.warnings())
        .extracting(warning -> warning.replace(EXAMPLES + "/", "").replaceAll(" is not used.*", ""))
        .hasSize(1)
        .first(STRING)
        .startsWith("fields-v1.yaml:")
        .endsWith(", the shortest of 3 intervals,");
  }

  @Test
  void version2HasFieldsByEitherName() throws Exception {
    FieldSettings settings = read(EXAMPLES.resolve("fields-v2.yaml"));

    assertThat(settings.selection().shown(DcgmMetrics.GPU_TEMP))
        .isNotNull()
        .extracting(Metric::name, Metric::help)
        .containsExactly("DCGM_FI_DEV_GPU_TEMP", "GPU temperature.");
    assertThat(settings.unavailable())
        .singleElement()
        .asString()
        .contains("fields-v2.yaml:8: DCGM_FI_DEV_PLATFORM_MODULE_ID");
    assertThat(settings.warnings())
        .extracting(warning -> warning.replaceAll(".*?:([0-9]+: \\S+) is not used.*", "$1"))
        .contains(
            "9: metrics.enableExporterMetrics",
            "11: server.maxConcurrentScrapes",
            "12: sources",
            "22: collections[1].sources");
    assertThat(settings.warnings())
        .anyMatch(
            warning ->
                warning.endsWith(
                    "fields-v2.yaml:21: collections[1].every, the shortest of 2 intervals, is not"
                        + " used, and neither are the others: what follows the workload is read"
                        + " so often with a cadence.fast of 500ms"));
  }

  @Test
  void anIntervalThatLapwingKeepsByDefaultNeedsNothing() throws Exception {
    Path file =
        Files.writeString(dir.resolve("a.yml"), "version: 1\ncollection: {interval: 30s}\n");
    assertThat(read(file).warnings())
        .containsExactly(
            file
                + ":2: collection.interval is not used: cadence.fast, cadence.medium and"
                + " cadence.slow set when values are read, by default every 5, 10 and 60 s");
  }

  @Test
  void withoutFieldsThePresetSelectsThem() throws Exception {
    Path file = Files.writeString(dir.resolve("a.yml"), "version: 1\ncollection: {interval: 1s}\n");
    assertThat(read(file).selection()).isEqualTo(FieldSelection.ALL);
  }

  @Test
  void aChangeOfTheNamedFileIsAChange() throws Exception {
    Path csv = Files.writeString(dir.resolve("a.csv"), "DCGM_FI_DEV_GPU_TEMP,gauge,x\n");
    Path yaml = Files.writeString(dir.resolve("a.yaml"), "version: 1\nmetrics: {file: a.csv}\n");
    List<String> before = read(yaml).lines();

    Files.writeString(csv, "DCGM_FI_DEV_GPU_TEMP,gauge,y\n");

    assertThat(read(yaml).lines()).isNotEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "0", "one", "1.0"})
  void anUnknownVersionIsNamed(String version) throws Exception {
    assertThat(problems("version: " + version + "\n"))
        .containsExactly(
            "fields.yaml:1: version: '" + version + "' is not a version; the versions are 1 and 2");
  }

  @Test
  void unknownKeysOfAnUnknownVersionAreNamedToo() throws Exception {
    assertThat(problems("version: 3\ncolour: red\n"))
        .hasSize(2)
        .contains("fields.yaml:2: colour: unknown key");
  }

  @Test
  void aMissingVersionIsNamed() throws Exception {
    assertThat(problems("metrics: {file: /dev/null}\n"))
        .contains("fields.yaml:1: version: is missing; the versions are 1 and 2");
  }

  @Test
  void unknownKeysAndKeysOfTheOtherVersionAreNamed() throws Exception {
    assertThat(
            problems(
                """
                version: 1
                metrics:
                  fiels: []
                  file: /no/such.csv
                collections: []
                """))
        .containsExactlyInAnyOrder(
            "fields.yaml:3: metrics.fiels: unknown key; did you mean fields?",
            "fields.yaml:5: collections: unknown key; did you mean collection?",
            "fields.yaml:4: metrics.file: /no/such.csv: does not exist");
  }

  @Test
  void ofFileAndFieldsTheFieldsCount() throws Exception {
    assertThat(
            warnings(
                """
                version: 2
                metrics:
                  file: a.csv
                  fields:
                    - {name: DCGM_FI_DEV_GPU_TEMP, prometheusType: gauge, help: x}
                """))
        .containsExactly(
            "fields.yaml:3: metrics.file is not used: metrics.fields is there as well, and counts");
    assertThat(shows(read(dir.resolve("fields.yaml")), DcgmMetrics.GPU_TEMP)).isTrue();
  }

  @Test
  void aFieldInTwoGroupsAndAGroupOfNothingAreNamed() throws Exception {
    assertThat(
            warnings(
                """
                version: 1
                metrics:
                  fields:
                    - {name: DCGM_FI_DEV_GPU_TEMP, prometheusType: gauge, help: x}
                collection:
                  watchGroups:
                    - name: one
                      interval: 1s
                      fields: ["DCGM_FI_DEV_GPU_*"]
                    - name: two
                      interval: 2s
                      fields: [DCGM_FI_DEV_GPU_TEMP_CELSIUS]
                    - name: three
                      interval: 2s
                      fields:
                        - DCGM_FI_DEV_NVLINK_*
                        - DCGM_FI_PROF_*
                """))
        .containsExactly(
            "fields.yaml:15: collection.watchGroups[2].fields: the group three matches no field of"
                + " the list",
            "fields.yaml:12: collection.watchGroups[1].fields: DCGM_FI_DEV_GPU_TEMP is in the group"
                + " one, too");
  }

  @Test
  void aPatternOfNothingIsAWarningInAGroupThatHasFields() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("a.yml"),
            """
            version: 1
            metrics:
              fields:
                - {name: DCGM_FI_DEV_GPU_TEMP, prometheusType: gauge, help: x}
            collection:
              watchGroups:
                - {name: one, interval: 1s, fields: [DCGM_FI_DEV_GPU_TEMP, DCGM_FI_PROF_*]}
            """);
    assertThat(read(file).warnings())
        .contains(
            file
                + ":7: collection.watchGroups[0].fields: 'DCGM_FI_PROF_*' matches no field of the"
                + " list");
  }

  @Test
  void aGroupMayHaveTheFieldsThatTheExportersOwnFamiliesRead() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("a.yml"),
            """
            version: 1
            metrics:
              fields:
                - {name: DCGM_EXP_XID_ERRORS_TOTAL, prometheusType: counter, help: x}
                - {name: DCGM_EXP_CLOCK_EVENTS_TOTAL, prometheusType: counter, help: x}
            collection:
              watchGroups:
                - {name: one, interval: 1s, fields: [DCGM_FI_DEV_XID_ERRORS]}
                - {name: two, interval: 2s, fields: [DCGM_FI_DEV_CLOCKS_EVENT_REASONS]}
            """);
    FieldSettings settings = read(file);
    assertThat(settings.warnings()).hasSize(1).allMatch(line -> line.contains("is not used"));
    assertThat(shows(settings, DcgmMetrics.EXP_XID_ERRORS_TOTAL)).isTrue();
    assertThat(shows(settings, DcgmMetrics.XID_ERRORS)).isFalse();
  }

  @Test
  void aContradictionWithinTheNamedFileIsAWarningWithItsLine() throws Exception {
    Path csv =
        Files.writeString(
            dir.resolve("a.csv"), "DCGM_FI_DEV_GPU_TEMP,gauge,x\nDCGM_FI_DEV_GPU_TEMP,counter,x\n");
    Path yaml = Files.writeString(dir.resolve("a.yaml"), "version: 1\nmetrics: {file: a.csv}\n");

    assertThat(read(yaml).warnings())
        .singleElement()
        .asString()
        .startsWith(csv + ":2: DCGM_FI_DEV_GPU_TEMP has another type or help in line 1");
    assertThat(read(csv).warnings()).isEqualTo(read(yaml).warnings());
  }

  @Test
  void ofAFieldUnderBothItsNamesTheLastCounts() throws Exception {
    assertThat(
            warnings(
                """
                version: 2
                metrics:
                  fields:
                    - {name: DCGM_FI_DEV_GPU_TEMP, prometheusType: gauge, help: x}
                    - {name: DCGM_FI_DEV_GPU_TEMP_CELSIUS, prometheusType: counter, help: x}
                """))
        .containsExactly(
            "fields.yaml:5: DCGM_FI_DEV_GPU_TEMP has another type or help in line 4; line 5"
                + " counts");
  }

  @Test
  void allProblemsAreReportedAtOnce() throws Exception {
    assertThat(
            problems(
                """
                version: 2
                metrics:
                  fields:
                    - {name: DCGM_FI_DEV_GPU_TEMP, prometheusType: guage, help: x}
                    - {prometheusType: gauge, help: x}
                collections:
                  - {name: a, every: 30, metrics: {include: ["*"]}}
                  - {name: a, every: 1us, metrics: {include: []}}
                  - {name: b, every: 1s, metrics: {include: ["*"]}}
                """))
        .extracting(problem -> problem.replaceAll("^fields.yaml:([0-9]+): ([^: ]+).*", "$1 $2"))
        .containsExactlyInAnyOrder(
            "4 'guage'",
            "5 metrics.fields[1].name",
            "7 collections[0].every",
            "8 collections[1].name",
            "8 collections[1].every",
            "8 collections[1].metrics.include");
  }

  @Test
  void aFileThatIsNotYamlIsNamed() throws Exception {
    assertThat(problems("version: [1\n")).singleElement().asString().contains("is not YAML");
    assertThat(problems("- a\n")).singleElement().asString().contains("is not a mapping");
    assertThat(problems("version: &a 1\nserver: *a\n")).isNotEmpty();
  }
}
