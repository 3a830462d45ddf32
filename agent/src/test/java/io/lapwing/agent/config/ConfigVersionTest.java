package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key {@code version} of the configuration file. */
class ConfigVersionTest {

  private final Path folder;

  ConfigVersionTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private SettingsReader.Invocation.Run read(String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("lapwing.yml"), yaml);
    return (SettingsReader.Invocation.Run)
        SettingsReader.read(List.of("--config.file=" + file), Map.of(), List.of());
  }

  private void refuses(String yaml, String... problems) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .containsExactlyInAnyOrder(
                        List.of(problems).stream()
                            .map(line -> folder.resolve("lapwing.yml") + ":" + line)
                            .toArray(String[]::new)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "version: 1\n", "version: '1'\n", "---\nversion: 1\n"})
  void theVersionIsOptional(String head) throws Exception {
    SettingsReader.Invocation.Run run = read(head + "web.max-requests: 7\n");

    assertThat(run.settings().web().maxRequests()).isEqualTo(7);
    assertThat(run.warnings()).isEmpty();
  }

  @Test
  void aNewerVersionIsTheOnlyProblemReported() {
    refuses(
        "key.of.tomorrow: 3\nlog.level: chatty\nversion: 2\n",
        "3: version: this file has version 2, and this agent knows versions up to 1; use a newer"
            + " agent, or write the file for that version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "0", "-1", "1.5", "01", "[1]", "{a: 1}", "", "12345678901"})
  void anythingElseIsNotAVersion(String text) {
    assertThatThrownBy(() -> read("version: " + text + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "lapwing.yml:1: version: '"
                + (text.startsWith("[") || text.startsWith("{") || text.isEmpty() ? "" : text)
                + "' is not a version of the configuration");
  }

  @Test
  void aSecondVersionAndAMisspeltKeyAreReported() {
    refuses("version: 1\nversion: 1\n", "2: version: set twice");
    refuses("verion: 1\n", "1: verion: unknown key; did you mean version?");
  }
}
