package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelTextTest {

  private static Reading<KernelText> read(Path file, String content) throws IOException {
    Files.writeString(file, content);
    return KernelText.read(file);
  }

  @Test
  void onlyLinesWithANewlineAreKept(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("stats");
    assertThat(read(file, "a 1\nb 2\r\nc 3").map(KernelText::lines))
        .isEqualTo(Reading.of(List.of("a 1", "b 2")));
    assertThat(read(file, "").map(KernelText::lines)).isEqualTo(Reading.of(List.<String>of()));
    assertThat(read(file, "cut").map(KernelText::lines)).isEqualTo(Reading.of(List.<String>of()));
  }

  @Test
  void aFileWithoutEndIsTooLarge(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("stats");
    assertThat(read(file, "a\n".repeat(32 * 1024))).isInstanceOf(Reading.Present.class);
    assertThat(read(file, "a\n".repeat(32 * 1024) + "\n").failure()).contains("too_large");
  }

  @Test
  void anAbsentFileIsMissingAndAForbiddenOneFails(@TempDir Path dir) throws IOException {
    assertThat(KernelText.read(dir.resolve("none"))).isInstanceOf(Reading.Missing.class);
    assertThat(KernelText.read(dir).failure()).contains("io");
    Path file = Files.writeString(dir.resolve("file"), "x\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(file), "this user may read everything");
    assertThat(KernelText.read(file).failure()).contains("no_permission");
  }
}
