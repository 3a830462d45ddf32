package io.lapwing.stack.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.stack.history.Episodes.Episode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EpisodesTest {

  private static final Duration STEP = Duration.ofMinutes(1);
  private static final Map<String, String> NODE = Map.of("instance", "n");

  private static Instant minute(int at) {
    return Instant.EPOCH.plus(STEP.multipliedBy(at));
  }

  private static List<Instant> minutes(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(EpisodesTest::minute).toList();
  }

  @Test
  void anAlertFiresOnceItsForIsOverAndUntilItsQueryHasNoSample() {
    Episodes episodes = new Episodes(Duration.ofMinutes(5), STEP);
    episodes.add(Map.of(NODE, minutes(10, 20)));

    assertThat(episodes.all()).containsExactly(new Episode(NODE, minute(15), minute(21)));
  }

  @Test
  void aGapStartsTheForAgain() {
    Episodes episodes = new Episodes(Duration.ofMinutes(5), STEP);
    episodes.add(Map.of(NODE, minutes(0, 4)));
    episodes.add(Map.of(NODE, minutes(6, 10)));

    assertThat(episodes.all()).isEmpty();
  }

  @Test
  void theAnswersOfTwoQueriesAreOneTime() {
    Episodes episodes = new Episodes(Duration.ZERO, STEP);
    episodes.add(Map.of(NODE, minutes(0, 359)));
    episodes.add(Map.of(NODE, minutes(360, 400), Map.of("instance", "m"), minutes(390, 390)));

    assertThat(episodes.all())
        .containsExactlyInAnyOrder(
            new Episode(NODE, minute(0), minute(401)),
            new Episode(Map.of("instance", "m"), minute(390), minute(391)));
  }
}
