package io.lapwing.agent.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigrateCommandTest {

  private static final String RULES = "expr: DCGM_FI_DEV_GPU_TEMP\nseries: DCGM_FI_DEV_FB_USED\n";

  @TempDir Path dir = Path.of("");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new MigrateCommand(print(out), print(err)).run(List.of(args));
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  private Path rules() throws Exception {
    return Files.writeString(dir.resolve("rules.yml"), RULES);
  }

  @Test
  void printsTheTranslatedFileAndLeavesItAsItIs() throws Exception {
    Path file = rules();

    assertThat(run("names", file.toString())).isZero();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("expr: DCGM_FI_DEV_GPU_TEMP_CELSIUS\nseries: DCGM_FI_DEV_FB_USED_BYTES\n");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "lapwing: warning: "
                + file
                + ":2: DCGM_FI_DEV_FB_USED changes its unit, and this is not an expression\n");
    assertThat(file).hasContent(RULES);
  }

  @Test
  void writesWhatChangedAndBackAgain() throws Exception {
    Path file = rules();
    Path other = Files.writeString(dir.resolve("other.yml"), "a: 1\n");

    assertThat(run("names", "--write", file.toString(), other.toString())).isZero();
    assertThat(file).content().contains("GPU_TEMP_CELSIUS");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(file + ": 2 changes")
        .doesNotContain("other.yml");

    assertThat(run("names", "--to=classic", "--write", file.toString())).isZero();
    assertThat(file).hasContent(RULES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 2 | migrate: names or from-dcgm-exporter is missing: lapwing migrate names FILE ...",
        "names | 2 | migrate: a file is missing",
        "names --to=4.8 x | 2 | migrate: flag --to: '4.8' is not one of classic, classic-hostname, 4.9",
        "names --wite x | 2 | migrate: unknown flag '--wite'; did you mean --write?",
        "names --write=yes x | 2 | flag --write: takes no value",
        "names /no/such.yml | 1 | migrate: /no/such.yml does not exist"
      })
  void saysWhatIsWrong(String line, int code, String problem) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(code);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("lapwing: " + problem + "\n");
  }

  @Test
  void aFileThatCannotBeReadLeavesTheOthersUnwritten() throws Exception {
    Path file = rules();
    Path binary = Files.write(dir.resolve("binary"), new byte[] {(byte) 0xff, 0});

    assertThat(run("names", "--write", file.toString(), binary.toString())).isEqualTo(1);

    assertThat(file).hasContent(RULES);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("binary is not text in UTF-8");
  }

  @Test
  void helpNamesTheGenerations() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("classic-hostname", "--write");
  }
}
