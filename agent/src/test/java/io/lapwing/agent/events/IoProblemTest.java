package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Durability.Reason;
import io.lapwing.agent.events.LogDirectory.LockedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IoProblemTest {
  private static final String FILE = "/state/events.jsonl";

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new IOException("No space left on device"), Reason.DISK_FULL),
        Arguments.of(new IOException("Disk quota exceeded"), Reason.DISK_FULL),
        Arguments.of(
            new FileSystemException(FILE, null, "Read-only file system"), Reason.READ_ONLY),
        Arguments.of(new AccessDeniedException(FILE), Reason.NO_PERMISSION),
        Arguments.of(
            new FileSystemException(FILE, null, "Operation not permitted"), Reason.NO_PERMISSION),
        Arguments.of(new NoSuchFileException(FILE), Reason.MISSING),
        Arguments.of(new FileAlreadyExistsException(FILE), Reason.MISSING),
        Arguments.of(new FileSystemException(FILE, null, "Not a directory"), Reason.MISSING),
        Arguments.of(new LockedException(Path.of(FILE)), Reason.LOCKED),
        Arguments.of(new IOException("Input/output error"), Reason.IO),
        Arguments.of(new IOException(), Reason.IO));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void eachFailureHasTheReasonThatAnOperatorActsOn(IOException failure, Reason reason) {
    IoProblem problem = IoProblem.of(failure, Path.of(FILE));

    assertThat(problem.reason()).isEqualTo(reason);
    assertThat(problem.path()).isEqualTo(Path.of(FILE));
    assertThat(problem.why()).isNotBlank();
  }
}
