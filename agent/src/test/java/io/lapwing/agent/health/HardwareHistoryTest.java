package io.lapwing.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HardwareHistoryTest {

  private static final String GPU = "gpu:GPU-3";

  private final List<Event> events = new ArrayList<>();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  private HardwareHistoryTest later(Duration time) {
    now = now.plus(time);
    return this;
  }

  private HardwareHistoryTest opened(String rule, String subject, String severity, String action) {
    events.add(new Event.FindingOpened(now, now, rule, subject, severity, action, "what"));
    return this;
  }

  private HardwareHistoryTest reset() {
    return opened("xid_94", GPU, "degraded", "reset_gpu");
  }

  private Optional<HardwareHistory.Tally> tally(String subject) {
    return HardwareHistory.of(events).tally(subject, now);
  }

  private List<Integer> countAndScore(String subject) {
    return tally(subject).map(tally -> List.of(tally.count(), tally.score())).orElse(List.of());
  }

  @Test
  void eachActionHasItsScore() {
    reset().later(Duration.ofHours(2)).opened("gpu_hung", GPU, "failing", "reboot_node");
    later(Duration.ofHours(2)).opened("xid_79", GPU, "failing", "replace_node");

    assertThat(countAndScore(GPU)).containsExactly(3, 7);
    assertThat(tally(GPU).orElseThrow().earlier()).isEqualTo(3);
    assertThat(tally(GPU).orElseThrow().last()).isEqualTo(now);
  }

  @Test
  void aFindingThatTwoAgentsOpenedIsOneEpisode() {
    opened("xid_79", GPU, "failing", "replace_node");
    Instant since = now;
    later(Duration.ofHours(3));
    events.add(
        new Event.FindingOpened(now, since, "xid_79", GPU, "failing", "replace_node", "what"));
    assertThat(countAndScore(GPU)).containsExactly(1, 4);

    later(Duration.ofHours(3)).opened("xid_79", GPU, "failing", "replace_node");
    assertThat(countAndScore(GPU)).containsExactly(2, 8);
  }

  private void escalated(String rule, String severity, String action) {
    events.add(new Event.FindingEscalated(now, rule, GPU, severity, action));
  }

  @Test
  void aFindingThatEscalatesIsOneEpisodeWithTheHigherScore() {
    opened("hw_slowdown", GPU, "degraded", "watch").later(Duration.ofHours(1));
    escalated("hw_slowdown", "degraded", "replace_node");
    later(Duration.ofDays(2)).opened("gpu_lost", GPU, "failing", "reset_gpu");
    later(Duration.ofHours(3)).escalated("gpu_lost", "failing", "reboot_node");

    assertThat(countAndScore(GPU)).containsExactly(2, 6);
  }

  @Test
  void whatAsksForNoRemediationIsNoEpisode() {
    opened("thermal_slowdown", GPU, "degraded", "watch");
    opened("xid_13", GPU, "info", "restart_app");
    opened("xid_45", GPU, "info", "reset_gpu");
    opened("gpu_blind", GPU, "unknown", "reboot_node");
    opened("maintenance_scheduled", "node", "degraded", "replace_node");
    opened("lustre_evicted", "lustre:scratch-OST0000", "failing", "reboot_node");
    opened(HardwareHistory.RULE, GPU, "degraded", "replace_node");

    assertThat(countAndScore(GPU)).isEmpty();
    assertThat(countAndScore("node")).isEmpty();
  }

  @Test
  void findingsOfOneHourAreOneEpisodeWithTheHighestScore() {
    reset().later(Duration.ofMinutes(59)).opened("xid_79", GPU, "failing", "replace_node");
    assertThat(countAndScore(GPU)).containsExactly(1, 4);

    later(Duration.ofMinutes(1)).reset();
    assertThat(countAndScore(GPU)).containsExactly(2, 5);
  }

  @Test
  void theNodeHasTheEpisodesOfItsGpusAndItsOwn() {
    reset().later(Duration.ofHours(2)).opened("driver_hung", "node", "failing", "reboot_node");

    assertThat(countAndScore("node")).containsExactly(2, 3);
    assertThat(countAndScore(GPU)).containsExactly(1, 1);
    assertThat(countAndScore("gpu:GPU-4")).isEmpty();
  }

  @Test
  void episodesCountForNinetyDays() {
    reset().later(Duration.ofDays(89)).reset();
    assertThat(countAndScore(GPU)).containsExactly(2, 2);
    later(Duration.ofDays(1));
    assertThat(countAndScore(GPU)).containsExactly(1, 1);
    later(Duration.ofDays(89));
    assertThat(countAndScore(GPU)).isEmpty();
  }

  @Test
  void aClearOfAllRulesOrOfThisOneForgetsAndThatOfAnotherDoesNot() {
    reset();
    events.add(new Event.OperatorCleared(now, "xid_94", GPU, "job restarted"));
    events.add(new Event.OperatorCleared(now, "", "gpu:GPU-4", "repaired"));
    assertThat(countAndScore(GPU)).containsExactly(1, 1);

    events.add(new Event.OperatorCleared(now, HardwareHistory.RULE, GPU, "replaced the board"));
    assertThat(countAndScore(GPU)).isEmpty();
    assertThat(countAndScore("node")).containsExactly(1, 1);

    later(Duration.ofHours(2)).reset();
    events.add(new Event.OperatorCleared(now, "", "", "all"));
    assertThat(countAndScore(GPU)).isEmpty();
    assertThat(countAndScore("node")).isEmpty();
  }

  @Test
  void anotherMachineStartsAtZeroAndABoardThatReturnsDoesNot() {
    reset();
    events.add(new Event.GpuIdentified(now, "GPU-3", "1650522032781", "NVIDIA H100 80GB HBM3"));
    events.add(new Event.GpuRemoved(now, "GPU-3"));
    events.add(new Event.MachineReplaced(now, 8));

    assertThat(countAndScore("node")).isEmpty();
    assertThat(countAndScore(GPU)).containsExactly(1, 1);
    assertThat(tally(GPU).orElseThrow().serial()).isEqualTo("1650522032781");
  }

  @Test
  void theCacheFollowsTheEvents() {
    HardwareHistory.Cache cache = new HardwareHistory.Cache();
    reset();
    HardwareHistory first = cache.of(new History(events));
    assertThat(cache.of(new History(events))).isSameAs(first);

    later(Duration.ofHours(2)).reset();
    assertThat(cache.of(new History(events)).tally(GPU, now).orElseThrow().count()).isEqualTo(2);
  }
}
