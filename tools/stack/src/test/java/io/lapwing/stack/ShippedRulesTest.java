package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShippedRulesTest {

  private static final Path SHIPPED = Path.of("..", "..", "alert-rules");

  @TempDir Path dir = Path.of("");

  @Test
  void every_file_of_rules_is_taken_and_no_other() throws Exception {
    List<String> copied =
        ShippedRules.copy(SHIPPED, dir, "file:///here/").stream()
            .map(file -> file.getFileName().toString())
            .toList();

    assertThat(copied)
        .contains("gpu.yml", "xid.yml", "fleet.yml")
        .isSorted()
        .allMatch(name -> name.endsWith(".yml"));
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).hasSameSizeAs(copied);
    }
  }

  @Test
  void all_runbooks_are_the_sites_own_and_the_rest_stays() throws Exception {
    for (Path copy : ShippedRules.copy(SHIPPED, dir, "file:///here/")) {
      String shipped = Files.readString(SHIPPED.resolve(copy.getFileName()));

      assertThat(Files.readString(copy))
          .doesNotContain("https://lapwing.example/")
          .isEqualTo(
              shipped
                  .replace("https://lapwing.example/runbooks/", "file:///here/")
                  .replaceAll("(?m)^ *dashboard_url: .*\n", ""));
    }
  }
}
