package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.web.LiveSnapshot.LiveRow;
import io.lapwing.metric.Labels;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveSnapshotBuilderTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5));

  private static Slowness.Total lost(String rank, String gpu, String cause, double seconds) {
    Labels labels =
        new Labels(
            List.of("job_id", "run", "rank", "local_rank", "gpu", "cause"),
            List.of("4711", "llama", rank, rank, gpu, cause));
    return new Slowness.Total(labels, seconds);
  }

  private static List<LiveRow> rows(Slowness.Total... lost) {
    try (Poller poller = new Poller(new SnapshotBoard(), CADENCES, PollClock.SYSTEM)) {
      return new LiveSnapshotBuilder(poller, CADENCES, InstantSource.system(), () -> List.of(lost))
          .live()
          .tables()
          .getOrDefault("training", List.of());
    }
  }

  @Test
  void whatARankLostToAnotherOneIsInTheRowOfTheRank() {
    List<LiveRow> rows =
        rows(
            lost("0", "0", "gpu", 1),
            lost("0", "", "gpu", 12),
            lost("0", "", "host", 3),
            lost("1", "1", "gpu", 0),
            lost("1", "", "gpu", 0));
    assertThat(rows).extracting(row -> row.texts().get("gpu")).containsExactly("0", "1");
    assertThat(rows.get(0).groups())
        .isEqualTo(Map.of("lost_seconds", Map.of("gpu", 13.0, "host", 3.0)));
  }

  @Test
  void aRankWithoutAGpuHasARowOfItsOwn() {
    List<LiveRow> rows = rows(lost("0", "", "input", 2), lost("1", "1", "input", 3));
    assertThat(rows).extracting(row -> row.texts().get("rank")).containsExactly("0", "1");
  }
}
