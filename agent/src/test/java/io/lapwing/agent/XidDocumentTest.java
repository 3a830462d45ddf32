package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.xid.XidTable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class XidDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "xids.md");

  @Test
  void theDocumentAndTheTableAreEqual() throws Exception {
    String document = XidDocument.markdown(XidTable.load());
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }

  @Test
  void everyXidHasOneRowOfAsManyCellsAsTheHeader() {
    XidTable table = XidTable.load();
    String document = XidDocument.markdown(table);

    assertThat(
            document
                .lines()
                .takeWhile(line -> !line.equals("## SXids"))
                .filter(line -> line.startsWith("|")))
        .hasSize(table.all().size() + 3)
        .allMatch(line -> line.chars().filter(c -> c == '|').count() == 10);
  }
}
