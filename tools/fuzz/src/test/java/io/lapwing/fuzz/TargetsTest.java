package io.lapwing.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every target with what makes sense, with what once broke it, and with what nearly makes sense.
 */
class TargetsTest {

  private static final int MUTATED = 400;

  /** Far more than it takes: only what hangs takes as long. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TestFactory
  Stream<DynamicTest> nothingMakesATargetThrowOrHang() {
    return Targets.ALL.stream()
        .map(
            target ->
                DynamicTest.dynamicTest(
                    target.name(), () -> assertTimeoutPreemptively(PATIENCE, () -> feed(target))));
  }

  private static void feed(Target target) {
    List<byte[]> inputs = Repository.inputs(target);
    inputs.forEach(input -> feed(target, input));
    Mutation mutation = new Mutation(target.name().hashCode(), inputs);
    for (int i = 0; i < MUTATED; i++) {
      feed(target, mutation.next());
    }
  }

  private static void feed(Target target, byte[] input) {
    try {
      target.body().feed(input);
    } catch (Throwable finding) {
      String text = Base64.getEncoder().encodeToString(input);
      String shown = text.substring(0, Math.min(text.length(), 4000));
      throw new AssertionError("base64 of " + input.length + " bytes: " + shown, finding);
    }
  }

  @Test
  void noTwoTargetsHaveOneName() {
    assertThat(Targets.ALL).extracting(Target::name).doesNotHaveDuplicates();
  }

  @Test
  void everyFindingIsOfATarget() throws IOException {
    try (Stream<Path> folders = Files.list(Repository.FINDINGS)) {
      assertThat(folders.filter(Files::isDirectory).map(path -> path.getFileName().toString()))
          .isSubsetOf(Targets.ALL.stream().map(Target::name).toList());
    }
  }
}
