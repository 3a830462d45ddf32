package io.lapwing.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LibraryLimitTest {
  private final AtomicLong now = new AtomicLong();
  private final LibraryLimit limit = new LibraryLimit(List.of("io.javalin"), now::get);

  @Test
  void recordsOfLibrariesAreLimitedInEachMinuteAndTheGapIsNamed() {
    List<String> first = log("io.javalin.Javalin", 500);
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    List<String> sameMinute = log("io.javalin.Javalin", 1);
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    List<String> next = log("io.javalin.Javalin", 2);

    assertThat(first).hasSize(20).startsWith("trouble");
    assertThat(first.get(19))
        .isEqualTo("trouble (more records of libraries in this minute are dropped)");
    assertThat(sameMinute).isEmpty();
    assertThat(next)
        .containsExactly(
            "trouble (481 records of libraries were dropped before this one)", "trouble");
  }

  @Test
  void ownRecordsAreNotLimited() {
    assertThat(log("io.lapwing.agent.Agent", 500)).hasSize(500).containsOnly("trouble");
    assertThat(log(null, 500)).hasSize(500);
  }

  private List<String> log(@Nullable String logger, int times) {
    return IntStream.range(0, times)
        .mapToObj(i -> admitted(logger))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<String> admitted(@Nullable String logger) {
    LogRecord record = new LogRecord(Level.WARNING, "trouble");
    record.setLoggerName(logger);
    return limit.isLoggable(record) ? Optional.of(record.getMessage()) : Optional.empty();
  }
}
