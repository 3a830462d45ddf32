package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LibrarySearchTest {

  private static final Duration PAUSE = Duration.ofSeconds(60);

  private int searches;
  private long now = Long.MAX_VALUE - PAUSE.toNanos() / 2;

  @Test
  void aLibraryThatIsNotThereIsSearchedAgainAfterThePauseOnly() {
    LibrarySearch search =
        new LibrarySearch(
            () -> {
              searches++;
              return new Reading.Failed<Nvml>("libnvidia-ml.so.1", "library_not_found");
            },
            () -> now,
            PAUSE);

    for (int second = 0; second <= 120; second += 10) {
      assertThat(search.get().failure()).contains("library_not_found");
      now += Duration.ofSeconds(10).toNanos();
    }

    assertThat(searches).isEqualTo(3);
  }
}
