package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFileTest {

  private final OpenFile.ReadBuffer buffer = new OpenFile.ReadBuffer(64);
  private Path path;
  private OpenFile file;

  @BeforeEach
  void folder(@TempDir Path dir) {
    path = dir.resolve("tx_bytes");
    file = new OpenFile(dir, "tx_bytes");
  }

  @AfterEach
  void close() {
    file.close();
  }

  private Reading<Double> failed(String reason) {
    return new Reading.Failed<>(path.toString(), reason);
  }

  @Test
  void eachReadReturnsTheCurrentContent() throws IOException {
    Files.writeString(path, "9\n");
    assertThat(file.number(buffer)).isEqualTo(Reading.of(9.0));
    Files.writeString(path, "18446744073709551615\n");
    assertThat(file.number(buffer)).isEqualTo(Reading.of(1.8446744073709552e19));
    Files.writeString(path, "3\n");
    assertThat(file.number(buffer)).isEqualTo(Reading.of(3.0));
  }

  @Test
  void anAbsentFileIsMissingUntilItIsCreated() throws IOException {
    assertThat(file.number(buffer)).isEqualTo(new Reading.Missing<>(path.toString()));
    Files.writeString(path, "1\n");
    assertThat(file.number(buffer)).isEqualTo(Reading.of(1.0));
  }

  @Test
  void otherContentIsMalformedAndTheFileIsReadAgain() throws IOException {
    for (String text : new String[] {"", "N/A (no PMA)\n", "-1\n", "1".repeat(64)}) {
      Files.writeString(path, text);
      assertThat(file.number(buffer)).isEqualTo(failed("malformed"));
    }
    Files.writeString(path, "1\n");
    assertThat(file.number(buffer)).isEqualTo(Reading.of(1.0));
  }

  @Test
  void aNumberThatFillsTheBufferIsMalformed() throws IOException {
    Files.writeString(path, "0".repeat(60) + "1234567");
    assertThat(file.number(buffer)).isEqualTo(failed("malformed"));
  }

  @Test
  void aFolderInItsPlaceIsAFailureUntilItIsAFile() throws IOException {
    Files.createDirectory(path);
    assertThat(file.number(buffer)).isEqualTo(failed("io"));
    Files.delete(path);
    Files.writeString(path, "5\n");
    assertThat(file.number(buffer))
        .as("the descriptor of the folder was useless, so the file was reopened")
        .isEqualTo(Reading.of(5.0));
  }

  @Test
  void aForbiddenFileFailsWithItsOwnReason() throws IOException {
    Files.writeString(path, "1");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(path), "this user may read everything");
    assertThat(file.number(buffer)).isEqualTo(failed("no_permission"));
  }

  @Test
  void itCanBeReadAgainAfterItWasClosed() throws IOException {
    Files.writeString(path, "1\n");
    file.close();
    assertThat(file.number(buffer)).isEqualTo(Reading.of(1.0));
    file.close();
    file.close();
    assertThat(file.number(buffer)).isEqualTo(Reading.of(1.0));
  }
}
