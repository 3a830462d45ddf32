package io.lapwing.agent.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.config.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExporterStartTest {

  @TempDir Path dir = Path.of("");

  private ExporterStart start(Map<String, String> environment, String... arguments) {
    String none = dir.resolve("default-counters.csv").toString();
    return ExporterStart.of(List.of(arguments), environment, none);
  }

  @Test
  void withoutSettingsItIsOnDcgmExportersPortWithItsNames() {
    ExporterStart start = start(Map.of("PATH", "/bin", "LD_LIBRARY_PATH", "/lib"));
    assertThat(start.flags())
        .containsExactlyInAnyOrder("--web.listen-address=:9400", "--gpu.names=classic");
    assertThat(start.warnings())
        .hasSize(2)
        .anyMatch(warning -> warning.startsWith("the release of dcgm-exporter is not given: "))
        .anyMatch(warning -> warning.startsWith("DCGM_FI_PROF_* of GPUs without GPM"));
  }

  @Test
  void flagsCountBeforeVariables() throws Exception {
    ExporterStart start =
        start(
            Map.of("DCGM_EXPORTER_LISTEN", ":9500", "DCGM_EXPORTER_INTERVAL", "1000"),
            "-a",
            ":9600",
            "--kubernetes=true",
            "-r=localhost:5555");
    assertThat(start.flags())
        .containsExactlyInAnyOrder(
            "--web.listen-address=:9600",
            "--gpu.names=classic",
            "--cadence.fast=1s",
            "--gpu.pod-labels=true",
            "--dcgm.engine=localhost:5555");
    assertThat(start.warnings())
        .anyMatch(warning -> warning.startsWith("variable DCGM_EXPORTER_LISTEN: flag -a"));
    assertThat(SettingsReader.read(start.flags(), Map.of(), CollectorGroup.collectors()))
        .isInstanceOf(SettingsReader.Invocation.Run.class);
  }

  @Test
  void aVariableOfLapwingReplacesWhatIsTranslated() {
    ExporterStart start =
        start(Map.of("LAPWING_GPU_NAMES", "4.9", "LAPWING_WEB_LISTEN_ADDRESS", ":1"), "-a", ":2");
    assertThat(start.flags()).isEmpty();

    assertThat(start(Map.of("LAPWING_WEB_LISTEN_ADDRESS", ""), "-a", ":2").flags())
        .as("an empty one counts as none")
        .contains("--web.listen-address=:2");
  }

  @Test
  void whatAVariableOfLapwingSetsIsNotMissing() {
    assertThat(start(Map.of("LAPWING_GPU_NAMES", "4.9")).warnings())
        .singleElement()
        .asString()
        .startsWith("DCGM_FI_PROF_* of GPUs without GPM");
    assertThat(start(Map.of("LAPWING_DCGM_ENGINE", "auto")).warnings())
        .singleElement()
        .asString()
        .startsWith("the release of dcgm-exporter is not given");
  }

  @Test
  void aRepeatedFlagHasNoLine() {
    ExporterStart start =
        start(Map.of("DCGM_EXPORTER_LISTEN", ":1"), "-k", "-a", ":2", "-c=9000", "-a", ":3");
    assertThat(start.flags()).contains("--web.listen-address=:3");
    assertThat(start.warnings())
        .contains(
            "variable DCGM_EXPORTER_LISTEN: flag -a replaces it",
            "flag -a: a later flag -a replaces it")
        .noneMatch(warning -> warning.contains(" line "));
  }

  @Test
  void variablesThatKubernetesSetsForAServiceAreNoSettings() {
    ExporterStart start =
        start(
            Map.of(
                "DCGM_EXPORTER_SERVICE_HOST", "10.0.0.1",
                "DCGM_EXPORTER_SERVICE_PORT_METRICS", "9400",
                "DCGM_EXPORTER_PORT", "tcp://10.0.0.1:9400",
                "DCGM_EXPORTER_PORT_9400_TCP_ADDR", "10.0.0.1"));
    assertThat(start.warnings()).noneMatch(warning -> warning.contains("DCGM_EXPORTER"));
  }

  @Test
  void aConfigMapCountsBeforeTheDefaultFieldFile() throws Exception {
    Path file =
        Files.writeString(dir.resolve("default-counters.csv"), "DCGM_FI_DEV_GPU_TEMP, gauge, x\n");
    ExporterStart start = start(Map.of(), "-m", "ns:fields", "-f", file.toString());
    assertThat(start.flags()).noneMatch(flag -> flag.startsWith("--gpu.fields"));
    assertThat(start.warnings()).anyMatch(warning -> warning.startsWith("flag -m"));
  }

  @Test
  void whatIsUnknownOrUnsupportedIsAWarningAndTheRestCounts() {
    ExporterStart start =
        start(Map.of("DCGM_EXPORTER_LISTN", ":1"), "--colectors=x", "-d", "g:0", "--debug");
    assertThat(start.flags()).contains("--log.level=debug");
    assertThat(start.warnings())
        .contains("unknown flag --colectors; did you mean --collectors?")
        .anyMatch(warning -> warning.startsWith("flag -d: not supported: "))
        .anyMatch(warning -> warning.startsWith("unknown variable DCGM_EXPORTER_LISTN; did you"));
  }

  @Test
  void anInvalidValueIsAWarningAndSetsNothing() {
    ExporterStart start =
        start(Map.of("DCGM_EXPORTER_INTERVAL", "abc"), "--kubernetes=maybe", "-a", "9400");
    assertThat(start.flags())
        .containsExactlyInAnyOrder("--web.listen-address=:9400", "--gpu.names=classic");
    assertThat(start.warnings())
        .contains(
            "flag --kubernetes: 'maybe' is not true or false; not translated",
            "variable DCGM_EXPORTER_INTERVAL: 'abc' is not a number of milliseconds; not"
                + " translated")
        .anyMatch(warning -> warning.startsWith("flag -a: '9400' is not an address"));
  }

  @Test
  void theDefaultFieldFileCountsIfItExists() throws Exception {
    Path file = dir.resolve("default-counters.csv");
    String flag = "--gpu.fields=" + file;
    assertThat(start(Map.of(), "-f", file.toString()).flags()).doesNotContain(flag);
    assertThat(start(Map.of(), "-f", file.toString()).warnings())
        .anyMatch(warning -> warning.startsWith("flag -f: not needed: "));

    Files.writeString(file, "DCGM_FI_DEV_GPU_TEMP, gauge, x\n");
    assertThat(start(Map.of()).flags()).contains(flag);
    assertThat(start(Map.of(), "-f", file.toString()).flags()).contains(flag);
    assertThat(start(Map.of(), "-f", file.toString()).warnings())
        .noneMatch(warning -> warning.startsWith("flag -f"));
    String other = dir.resolve("other.csv").toString();
    assertThat(start(Map.of(), "-f", other).flags()).contains("--gpu.fields=" + other);
  }
}
