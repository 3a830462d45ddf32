package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.xid.XidTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthRulesDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "health-rules.md");

  @Test
  void theDocumentAndTheRulesAreEqual() throws Exception {
    String document = HealthRulesDocument.markdown(rules());
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }

  private static List<HealthRule> rules() {
    XidTable table = XidTable.load();
    return HealthRules.under(
        Policy.of(Profile.AWS, table, HealthRules.specs(), PolicyOverrides.NONE), table);
  }
}
