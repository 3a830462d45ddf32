package io.lapwing.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadingTest {

  private static final Reading<Integer> PRESENT = Reading.of(2);
  private static final Reading<Integer> UNSUPPORTED = new Reading.Unsupported<>("q");
  private static final Reading<Integer> MISSING = new Reading.Missing<>("q");
  private static final Reading<Integer> FAILED = new Reading.Failed<>("q", "timeout");

  @Test
  void aValueIsChangedAndAnAbsenceStaysWhatItIs() {
    assertThat(PRESENT.map(value -> value * 10)).isEqualTo(Reading.of(20));
    for (Reading<Integer> absent : List.of(UNSUPPORTED, MISSING, FAILED)) {
      assertThat(absent.map(value -> value * 10)).isEqualTo(absent);
      assertThat(absent.toOptional()).isEmpty();
    }
    assertThat(PRESENT.toOptional()).contains(2);
  }

  @Test
  void theAlternativeIsReadOnlyIfThisOneIsAbsent() {
    assertThat(UNSUPPORTED.or(() -> PRESENT)).isEqualTo(PRESENT);
    assertThat(MISSING.or(() -> PRESENT)).isEqualTo(PRESENT);
    assertThat(FAILED.or(() -> PRESENT)).isEqualTo(FAILED);
    assertThat(PRESENT.or(() -> FAILED)).isEqualTo(PRESENT);
    assertThat(MISSING.or(() -> FAILED)).isEqualTo(FAILED);
  }

  @Test
  void onlyAFailureHasAReason() {
    assertThat(FAILED.failure()).contains("timeout");
    for (Reading<Integer> other : List.of(PRESENT, UNSUPPORTED, MISSING)) {
      assertThat(other.failure()).isEmpty();
    }
  }

  @Test
  void aSinkAddsAValueCountsAFailureAndIgnoresAnAbsence() {
    Metric metric = Metric.gauge("m", "help");
    RecordedSink sink = new RecordedSink();
    for (Reading<Integer> reading : List.of(PRESENT, UNSUPPORTED, MISSING, FAILED)) {
      sink.put(metric, Labels.NONE, reading);
    }
    assertThat(sink.lines()).containsExactly("m 2");
    assertThat(sink.failures()).containsExactly("q: timeout");
  }

  @Test
  void nothingToReadIsASuccessAndBrokenIsNot() {
    Instant at = Instant.EPOCH;
    Duration took = Duration.ofMillis(1);
    assertThat(new CollectorRun.NothingHere("c", Cadence.FAST, at, 0, took, "why").success())
        .isTrue();
    assertThat(new CollectorRun.Broken("c", Cadence.FAST, at, 0, took, "reason", "why").success())
        .isFalse();
  }
}
