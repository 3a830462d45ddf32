package io.lapwing.deep;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import io.lapwing.deep.DeepResult.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may write a result, and which files are accepted. */
class DeepResultFileTest {

  private static final DeepResult RESULT =
      new DeepResult(
          Instant.parse("2026-01-01T00:00:00Z"),
          true,
          List.of(
              new GpuResult(
                  "GPU-da8deb50-51a7-4ed0-8000-5eed00000000",
                  3,
                  "NVIDIA H100",
                  List.of(
                      new TestResult(
                          DeepTest.DEVICE_COPY, Outcome.SLOW, OptionalDouble.of(1e12), "why"),
                      new TestResult(
                          DeepTest.ARITHMETIC, Outcome.WRONG, OptionalDouble.empty(), "")))),
          List.of(new ToolResult("dcgmi", Outcome.PASSED, "")));

  @TempDir private Path dir;

  private DeepResultFile file;

  @BeforeEach
  void write() throws IOException {
    mode(dir, "rwxr-x---");
    file = new DeepResultFile(dir);
    assertThat(file.read()).isInstanceOf(Reading.Missing.class);
    file.write(DeepResultJson.write(RESULT, "failing"));
  }

  private static void mode(Path path, String text) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(text));
  }

  private Optional<String> failure() {
    return file.read().failure();
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertThat(file.read().toOptional()).contains(RESULT);
    file.write(DeepResultJson.write(RESULT, "failing"));
    try (var files = Files.list(file.file().getParent())) {
      assertThat(files).containsExactly(file.file());
    }
  }

  @Test
  void aFileThatOthersMayWriteIsUntrusted() throws IOException {
    mode(file.file(), "rw-rw-r--");
    assertThat(failure()).contains("untrusted");
  }

  @Test
  void aFolderThatOthersMayWriteIsUntrusted() throws IOException {
    mode(Objects.requireNonNull(file.file().getParent()), "rwxrwxrwx");
    assertThat(failure()).contains("untrusted");
    mode(Objects.requireNonNull(file.file().getParent()), "rwxr-xr-x");
    mode(dir, "rwxrwxrwx");
    assertThat(failure()).contains("untrusted");
  }

  @Test
  void aLinkIsUntrusted() throws IOException {
    Path elsewhere = dir.resolve("elsewhere");
    Files.move(file.file(), elsewhere);
    Files.createSymbolicLink(file.file(), elsewhere);
    assertThat(failure()).contains("untrusted");
  }

  @Test
  void aFileOfAnotherUserIsUntrusted() throws IOException {
    if (Files.getAttribute(dir, "unix:uid").equals(0)) {
      Files.setAttribute(file.file(), "unix:uid", 12345);
      assertThat(failure()).contains("untrusted");
      // The agent's own user may write.
      Files.setAttribute(dir, "unix:uid", 12345);
      assertThat(failure()).isEmpty();
    }
  }

  @Test
  void anythingElseIsMalformed() throws IOException {
    for (String text :
        List.of(
            "",
            "[]",
            "{\"at\":\"now\"}",
            "{\"at\":\"2026-01-01T00:00:00Z\",\"gpus\":[{\"uuid\":\"x\",\"index\":0}]}")) {
      Files.writeString(file.file(), text);
      assertThat(failure()).as(text).contains("malformed");
    }
  }
}
