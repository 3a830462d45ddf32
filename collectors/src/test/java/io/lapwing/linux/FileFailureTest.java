package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileFailureTest {

  @ParameterizedTest
  @CsvSource({
    "Permission denied, no_permission",
    "Operation not permitted, no_permission",
    "No such device, gone",
    "No such process, gone",
    "Stale file handle, gone",
    "Operation not supported, unsupported",
    "Invalid argument, invalid",
    "Timer expired, timed_out",
    "Cannot allocate memory, no_memory",
    "Input/output error, io",
    "Das Argument ist ungültig, io"
  })
  void theReasonIsOneOfAClosedSet(String text, String reason) {
    assertThat(FileFailure.reason(new IOException(text))).isEqualTo(reason);
    assertThat(FileFailure.reason(new FileSystemException("file", null, text))).isEqualTo(reason);
  }

  @Test
  void aFileThatCannotBeOpenedHasItsReasonBehindItsPath() {
    assertThat(FileFailure.reason(new FileNotFoundException("/a (b) (Permission denied)")))
        .isEqualTo("no_permission");
    assertThat(FileFailure.reason(new FileNotFoundException("/a (Not a directory)")))
        .isEqualTo("io");
    assertThat(FileFailure.reason(new FileNotFoundException())).isEqualTo("io");
    assertThat(
            FileFailure.reading("x", new FileNotFoundException("/x (No such file or directory)")))
        .isEqualTo(new Reading.Missing<>("x"));
  }

  @Test
  void aFailureWithoutAMessageHasAReason() {
    assertThat(FileFailure.reason(new IOException())).isEqualTo("io");
    assertThat(FileFailure.reason(new FileSystemException("file"))).isEqualTo("io");
    assertThat(FileFailure.reason(new AccessDeniedException("file"))).isEqualTo("no_permission");
  }

  @Test
  void aFileThatDoesNotExistIsMissing() {
    assertThat(FileFailure.reading("x", new NoSuchFileException("x")))
        .isEqualTo(new Reading.Missing<>("x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"No such file or directory", "No such process"})
  void aFileOfAProcessThatEndedIsMissing(String text) {
    assertThat(FileFailure.reading("x", new IOException(text)))
        .isEqualTo(new Reading.Missing<>("x"));
  }

  @Test
  void aDeviceThatWentAwayIsAFailure() {
    assertThat(FileFailure.reading("x", new IOException("No such device")))
        .isEqualTo(new Reading.Failed<>("x", "gone"));
  }
}
