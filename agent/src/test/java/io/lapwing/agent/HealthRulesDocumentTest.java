package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.rules.RulesOfGpus;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HealthRulesDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "health-rules.md");

  @Test
  void theDocumentAndTheRulesAreEqual() throws Exception {
    String document = HealthRulesDocument.markdown(RulesOfGpus.all());
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }
}
