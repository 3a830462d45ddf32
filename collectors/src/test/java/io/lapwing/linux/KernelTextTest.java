package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
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

  @Property
  void linesAreThoseOfTheJdk(@ForAll @Chars({'a', '\r', '\n'}) String text) {
    int end = text.lastIndexOf('\n');
    assertThat(KernelText.of("file", text).lines())
        .isEqualTo(end < 0 ? List.of() : text.substring(0, end).lines().toList());
  }

  private static boolean same(String one, String other) {
    return KernelText.of("file", one)
        .sameBut(List.of("snapshot_time", "idle:"), KernelText.of("file", other));
  }

  @Test
  void aFileInWhichOnlyTimesHaveChangedIsTheTextThatWasReadLast(@TempDir Path dir)
      throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "idle: 3 sec\nopen 7\n");
    List<String> words = List.of("idle:");
    KernelText last = KernelText.read(file).toOptional().orElseThrow();
    Files.writeString(file, "idle: 4 sec\nopen 7\n");
    assertThat(KernelText.read(file, last, words).toOptional().orElseThrow()).isSameAs(last);
    Files.writeString(file, "idle: 4 sec\nopen 8\n");
    assertThat(KernelText.read(file, last, words).toOptional().orElseThrow().lines())
        .containsExactly("idle: 4 sec", "open 8");
    Files.delete(file);
    assertThat(KernelText.read(file, last, words)).isInstanceOf(Reading.Missing.class);
  }

  @Test
  void onlyTheDigitsOfTimesMayDiffer() {
    String text = "snapshot_time: 19.25 secs\n  idle: 3 sec\nopen 7 samples\n";
    assertThat(same(text, text)).isTrue();
    assertThat(same(text, text.replace("19.25", "20.31").replace("3 sec", "4 sec"))).isTrue();
    assertThat(same(text, text.replace("7", "8"))).isFalse();
    assertThat(same(text, text.replace("3 sec", "13 sec"))).isFalse();
    assertThat(same(text, text.replace("19.25", "19x25"))).isFalse();
    assertThat(same(text, text.replace("samples", "Samples"))).isFalse();
    assertThat(same(text, text + "\n")).isFalse();
    assertThat(same("1 snapshot_time\n", "2 snapshot_time\n")).isFalse();
    assertThat(same("", "")).isTrue();
  }
}
