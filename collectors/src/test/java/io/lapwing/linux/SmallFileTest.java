package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFileTest {

  private Path file;

  @BeforeEach
  void folder(@TempDir Path dir) {
    file = dir.resolve("file");
  }

  private static Reading<String> write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
      return SmallFile.text(file);
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  void theTextIsTrimmed() throws IOException {
    Files.writeString(file, " Amazon EC2\n");
    assertThat(SmallFile.text(file)).isEqualTo(Reading.of("Amazon EC2"));
    Files.writeString(file, "");
    assertThat(SmallFile.text(file)).isEqualTo(Reading.of(""));
  }

  @Test
  void anAbsentFileIsMissing() {
    assertThat(SmallFile.text(file)).isEqualTo(new Reading.Missing<>(file.toString()));
    assertThat(new SysFs(file).text("class/x")).isInstanceOf(Reading.Missing.class);
  }

  @Test
  void aDirectoryIsAFailure() throws IOException {
    Files.createDirectory(file);
    assertThat(SmallFile.text(file)).isEqualTo(new Reading.Failed<>(file.toString(), "io"));
  }

  @Test
  void aForbiddenFileFailsWithItsOwnReason() throws IOException {
    Files.writeString(file, "x");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(file), "this user may read everything");
    assertThat(SmallFile.text(file))
        .isEqualTo(new Reading.Failed<>(file.toString(), "no_permission"));
  }

  @Test
  void onlyTheFirstPageIsRead() throws IOException {
    Files.writeString(file, "a".repeat(10_000));
    assertThat(SmallFile.text(file)).isEqualTo(Reading.of("a".repeat(4096)));
  }

  @Property(tries = 100)
  void anyBytesAreSomeText(@ForAll byte[] bytes) throws IOException {
    Path garbage = Files.createTempFile("kernel-file", null);
    try {
      assertThat(write(garbage, bytes)).isInstanceOf(Reading.Present.class);
    } finally {
      Files.delete(garbage);
    }
  }

  @Test
  void aWholeFileIsReadUpToALimit() throws IOException {
    Files.writeString(file, "12345\n");
    assertThat(SmallFile.whole(file, 6)).isEqualTo(Reading.of("12345\n"));
    assertThat(SmallFile.whole(file, 5).failure()).contains("too_large");
    assertThat(SmallFile.head(file, 2).map(bytes -> bytes.length)).isEqualTo(Reading.of(2));
  }

  @Test
  void onlyRegularFilesAreOpened() throws IOException {
    assertThat(SmallFile.whole(file, 5)).isEqualTo(new Reading.Missing<>(file.toString()));
    Files.createDirectory(file);
    assertThat(SmallFile.whole(file, 5).failure()).contains("not_a_file");
  }
}
