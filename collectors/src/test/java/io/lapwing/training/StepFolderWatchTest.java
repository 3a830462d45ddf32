package io.lapwing.training;

import static io.lapwing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepFolderWatchTest {

  private final AtomicInteger reports = new AtomicInteger();
  private Path folder = Path.of("");
  private StepFolderWatch watch = new StepFolderWatch(folder, reports::incrementAndGet);

  @BeforeEach
  void folder(@TempDir Path parent) {
    folder = parent.resolve("steps");
    watch = new StepFolderWatch(folder, reports::incrementAndGet);
  }

  @AfterEach
  void stop() {
    watch.stop();
  }

  @Test
  void aFileIsReported() throws Exception {
    Files.createDirectory(folder);
    watch.follow("key");
    Files.createFile(folder.resolve("1.steps"));

    await().untilAsserted(() -> assertThat(reports).hasPositiveValue());
  }

  @Test
  void theFolderIsReportedWhenItIsCreated() throws Exception {
    watch.awaitFolder();
    watch.awaitFolder();
    Files.createFile(folder.resolveSibling("other"));
    Files.createDirectory(folder);
    await().untilAsserted(() -> assertThat(reports).hasPositiveValue());

    int before = reports.get();
    watch.follow("key");
    Files.createFile(folder.resolve("1.steps"));
    await().untilAsserted(() -> assertThat(reports).hasValueGreaterThan(before + 1));
  }

  @Test
  void aFolderWithoutParentIsNotReported() {
    watch = new StepFolderWatch(folder.resolve("below"), reports::incrementAndGet);

    watch.awaitFolder();

    assertThat(reports).hasValue(0);
  }
}
