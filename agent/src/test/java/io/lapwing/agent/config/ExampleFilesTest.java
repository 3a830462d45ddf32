package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.WebConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples that ship, by kind of site. */
class ExampleFilesTest {

  private static final Path EXAMPLES = Path.of("../tools/packaging/files/examples");

  @ParameterizedTest
  @CsvSource({"closed-network, OPEN", "shared-cluster, HASHED", "multi-tenant, HIDDEN"})
  void theyAreValid(String site, Settings.Privacy privacy, @TempDir Path dir) throws Exception {
    String text = Files.readString(EXAMPLES.resolve(site + ".yml"));
    // The files that it names have to exist.
    for (String name : List.of("web.yml", "privacy.key")) {
      Path file = Files.writeString(dir.resolve(name), "x");
      text = text.replace("/etc/lapwing/" + name, file.toString());
    }
    Path config = Files.writeString(dir.resolve("lapwing.yml"), text);

    SettingsReader.Invocation read =
        SettingsReader.read(List.of("--config.file=" + config), Map.of(), List.of());

    Settings settings = ((SettingsReader.Invocation.Run) read).settings();
    assertThat(settings.web().guard().privacy()).isEqualTo(privacy);
    WebConfig web = WebConfig.read(EXAMPLES.resolve(site + "-web.yml"));
    assertThat(web.tls().isPresent()).isEqualTo(privacy != Settings.Privacy.OPEN);
  }

  @Test
  void eachSiteHasBothFiles() throws Exception {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      assertThat(files).hasSize(6);
    }
  }
}
