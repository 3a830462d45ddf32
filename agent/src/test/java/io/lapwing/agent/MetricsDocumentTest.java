package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.metrics.SelfRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MetricsDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "metrics.md");

  @Test
  void theDocumentAndTheCatalogueAreEqual() throws Exception {
    String document = MetricsDocument.markdown(ownFamilies().families());
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }

  @Test
  void theListOnTheCommandLineHasEveryFamilyOfTheDocument() {
    String text = Main.metrics(CollectorGroup.catalogue());
    String document = MetricsDocument.markdown(ownFamilies().families());

    assertThat(text.lines()).hasSameSizeAs(CollectorGroup.catalogue().metrics());
    assertThat(text.lines().map(line -> line.split("[{ ]", 2)[0]))
        .allSatisfy(name -> assertThat(document).contains("| `" + name + "` |"));
  }

  /** With a request answered, since the counter of requests begins with the first. */
  private static SelfRegistry ownFamilies() {
    SelfRegistry own = SelfRegistry.ofThisProcess();
    own.requests().started();
    own.requests().answered("metrics", 200);
    return own;
  }
}
