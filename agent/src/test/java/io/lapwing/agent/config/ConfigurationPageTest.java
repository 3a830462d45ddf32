package io.lapwing.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  @Test
  void thePageAndTheTableAreEqual() throws Exception {
    String page = ConfigurationPage.markdown();
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }

    assertThat(PAGE).as("run the tests with -Dgolden.update to write it anew").exists();
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  @Test
  void noTwoOptionsShareAVariable() {
    assertThat(Options.with(List.of()).stream().map(option -> option.variable(Options.PREFIX)))
        .doesNotHaveDuplicates();
  }
}
