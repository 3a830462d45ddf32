package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DrainConfigurationPageTest {
  private static final Path PAGE = Path.of("../docs/drain-configuration.md");

  @Test
  void thePageIsThatOfTheTable() throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(PAGE, DrainConfigurationPage.markdown());
    }
    assertThat(PAGE).as("run the tests with -Dgolden.update=true to write it").exists();
    assertThat(Files.readString(PAGE)).isEqualTo(DrainConfigurationPage.markdown());
  }

  @Test
  void noTwoOptionsShareAVariable() {
    assertThat(DrainOptions.TABLE.options().stream().map(DrainOptions.TABLE::variable))
        .doesNotHaveDuplicates();
  }
}
