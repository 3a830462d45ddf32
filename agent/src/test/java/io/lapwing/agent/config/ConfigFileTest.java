package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.ListenAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
  private final Path folder;

  ConfigFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web.max-requests: 7",
        "web:\n  max-requests: 7",
        "web: {max-requests: 7}",
        "web: {max-requests: '7'}",
        "---\n# a comment\nweb:\n\n  max-requests: 7 # another\n...\n",
        "\"web.max-requests\": 7",
      })
  void keysMayBeNestedOrDotted(String yaml) throws Exception {
    assertThat(read(yaml).web().maxRequests()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# only a comment\n", "---\n", "{}", "web:\n", "~"})
  void anEmptyFileSetsNothing(String yaml) throws Exception {
    assertThat(read(yaml).web().maxRequests()).isEqualTo(40);
  }

  @Test
  void numbersSwitchesAndTextsAreTakenAsTheyAreWritten() throws Exception {
    Settings settings =
        read("web.listen-address: :9999\nonce: true\nnode: {hostname: 0x10}\nlabels: lean\n");

    assertThat(settings.web().listenAddresses()).containsExactly(new ListenAddress("", 9999));
    assertThat(settings.once()).isTrue();
    assertThat(settings.hostname()).isEqualTo("0x10");
    assertThat(settings.gpu().labels()).isEqualTo(Settings.LabelSet.LEAN);
  }

  private Settings read(String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("lapwing.yml"), yaml);
    return ((SettingsReader.Invocation.Run)
            SettingsReader.read(List.of("--config.file", file.toString()), Map.of(), List.of()))
        .settings();
  }
}
