package io.lapwing.common.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {

  @TempDir private Path dir;

  private static String ofReading(Path file) {
    return FileProblem.of(catchThrowableOfType(IOException.class, () -> Files.readAllBytes(file)));
  }

  @Test
  void theProblemIsNamedAndNotTheFile() throws IOException {
    Path file = Files.createFile(dir.resolve("a"));

    assertThat(ofReading(dir.resolve("missing"))).isEqualTo("no such file or directory");
    assertThat(ofReading(dir)).isNotBlank().doesNotContain(dir.toString());
    assertThat(ofReading(file.resolve("b"))).isNotBlank().doesNotContain(dir.toString());
    assertThat(FileProblem.of(new MalformedInputException(1))).isEqualTo("not UTF-8 text");
    assertThat(FileProblem.of(new AccessDeniedException("/a"))).isEqualTo("permission denied");
    assertThat(FileProblem.of(new IOException())).isEqualTo("IOException");
  }
}
