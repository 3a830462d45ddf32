package io.lapwing.drain.intake.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.jobs.JobProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class AgentCheckpointsTest {

  private static final Job JOB =
      new Job("4711", "ada", Set.of(new NodeName("n1"), new NodeName("n2")), 16);

  private final Map<String, String> pages = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_000_000);
  private Executor thread = Runnable::run;

  private final AgentCheckpoints facts =
      new AgentCheckpoints(
          new AgentPages("http://{node}", (uri, login) -> page(uri.getHost()), Authorization.NONE),
          work -> thread.execute(work),
          () -> now,
          Duration.ofMillis(50));

  private byte[] page(String node) throws IOException {
    asked.add(node);
    if (!pages.containsKey(node)) {
      throw new IOException("connection refused");
    }
    return ("{\"training\": [" + pages.get(node) + "]}").getBytes(UTF_8);
  }

  private static String rank(String job, int verified, String phase, String more) {
    return "{\"job_id\": \"%s\", \"rank\": \"0\", \"verified\": %d, \"phase\": \"%s\"%s}"
        .formatted(job, verified, phase, more);
  }

  private void saved(long durable) {
    pages.put(
        "n1",
        rank(
            "4711",
            1,
            "training",
            ", \"unsaved_since\": %d, \"checkpoint_durable\": %d".formatted(durable - 5, durable)));
  }

  @Test
  void theRankWithTheOldestCheckpointCounts() {
    pages.put(
        "n1",
        rank(
            "4711",
            1,
            "training",
            ", \"unsaved_since\": 999000.5, \"checkpoint_durable\": 999100, \"step_ended\":"
                + " 999990, \"usual_step_seconds\": 2.5"));
    pages.put(
        "n2",
        rank(
            "4711",
            1,
            "training",
            ", \"unsaved_since\": 998000, \"step_ended\": 999991, \"usual_step_seconds\": 2"));

    JobProgress progress = facts.of(JOB);

    assertThat(progress.unsaved()).contains(Instant.ofEpochSecond(998_000));
    assertThat(progress.durable()).isEmpty();
    assertThat(progress.lastStep()).contains(Instant.ofEpochSecond(999_991));
    assertThat(progress.stepTime()).contains(Duration.ofMillis(2500));
    assertThat(progress.interval()).isEmpty();
    assertThat(progress.write()).isEmpty();
    assertThat(progress.slowdown()).isEmpty();
  }

  @Test
  void theSlowdownIsThatOfTheLastStepsOverTheRun() {
    String half = ", \"usual_step_seconds\": 4, \"steps\": %d, \"step_seconds\": %d";
    pages.put("n1", rank("4711", 1, "training", half.formatted(10_000, 20_000)));
    pages.put("n2", rank("4711", 1, "training", half.formatted(10_000, 16_000)));
    assertThat(facts.of(JOB).slowdown()).as("of the rank with the smaller").hasValue(2);
  }

  @Test
  void aShortRunHasNoSlowdown() {
    String young = ", \"usual_step_seconds\": 4, \"steps\": 1000, \"step_seconds\": 2000";
    pages.put("n1", rank("4711", 1, "training", young));
    assertThat(facts.of(JOB).slowdown()).isEmpty();
  }

  @Test
  void aCheckpointIsWrittenFromItsStepUntilItIsDurable() {
    saved(999_100);
    assertThat(facts.of(JOB).write()).contains(Duration.ofSeconds(5));
  }

  /** Its processes know the id of the task alone. */
  @Test
  void aTaskOfAnArrayIsFoundByTheIdOfItsProcesses() {
    saved(999_100);
    Job task = new Job("4700_3", "ada", JOB.nodes(), 16, Set.of("4711"));
    assertThat(facts.of(task).durable()).contains(Instant.ofEpochSecond(999_100));
  }

  private static Job ofPods(String id, String... pods) {
    return Job.ofPods(id, JOB.nodes(), 16, Set.of(pods));
  }

  private static String rankInPod(String job, String pods, long durable) {
    return rank(
        job,
        1,
        "training",
        ", \"pod_uid\": \"%s\", \"unsaved_since\": %d, \"checkpoint_durable\": %d"
            .formatted(pods, durable - 5, durable));
  }

  /** Both call themselves alike, as jobs in two namespaces may. */
  @Test
  void jobsOfOneNameAreToldApartByTheirPods() {
    pages.put("n1", rankInPod("llama", "a-0", 999_100));
    pages.put("n2", rankInPod("llama", "b-0", 999_900));

    assertThat(facts.of(ofPods("ml/llama", "a-0", "a-1")).durable())
        .contains(Instant.ofEpochSecond(999_100));
    assertThat(facts.of(ofPods("web/llama", "b-0")).durable())
        .contains(Instant.ofEpochSecond(999_900));
  }

  /** All of its pods are one job, and the one with the oldest checkpoint counts. */
  @Test
  void theRanksOfAGangAreThoseOfAllOfItsPods() {
    pages.put("n1", rankInPod("llama-0", "a-0", 999_900));
    pages.put("n2", rankInPod("llama-1", "a-1", 999_100));

    assertThat(facts.of(ofPods("ml/llama", "a-0", "a-1")).durable())
        .contains(Instant.ofEpochSecond(999_100));
  }

  @Test
  void aPodThatClaimsTheNameOfAnotherJobIsNotOneOfIt() {
    pages.put("n1", rankInPod("ml/llama", "evil-0", 999_900));
    pages.put("n2", rank("ml/llama", 1, "training", ", \"unsaved_since\": 999900"));

    assertThat(facts.of(ofPods("ml/llama", "a-0"))).isEqualTo(JobProgress.UNKNOWN);
  }

  /** Two pods on one node may claim one rank; which of its values are of which is not known. */
  @Test
  void aRankInSeveralPodsLeavesTheJobUnknown() {
    pages.put("n1", rankInPod("llama", "a-0", 999_100));
    pages.put("n2", rankInPod("llama", "evil-0, a-1", 999_900));

    assertThat(facts.of(ofPods("ml/llama", "a-0", "a-1"))).isEqualTo(JobProgress.UNKNOWN);
    assertThat(facts.of(ofPods("ml/other", "a-0")).durable())
        .contains(Instant.ofEpochSecond(999_100));
  }

  @Test
  void anUnconfirmedRankInAPodOfTheJobDoesNotCount() {
    pages.put(
        "n1", rank("llama", 0, "training", ", \"pod_uid\": \"a-0\", \"unsaved_since\": 999000"));

    assertThat(facts.of(ofPods("ml/llama", "a-0"))).isEqualTo(JobProgress.UNKNOWN);
  }

  /** Its pods are others, so that what was read of the one before says nothing. */
  @Test
  void aJobThatFollowsAnotherOfItsNameBeginsUnknown() {
    pages.put("n1", rankInPod("llama", "a-0", 999_100));
    assertThat(facts.of(ofPods("ml/llama", "a-0")).durable()).isPresent();

    assertThat(facts.of(ofPods("ml/llama", "b-0"))).isEqualTo(JobProgress.UNKNOWN);
  }

  @Test
  void noStepIsDueWhileARankDoesNotTrain() {
    pages.put("n1", rank("4711", 1, "training", ", \"step_ended\": 999000"));
    pages.put("n2", rank("4711", 1, "evaluation", ", \"step_ended\": 999000"));

    assertThat(facts.of(JOB).lastStep()).isEmpty();
  }

  @Test
  void ranksThatTheKernelDoesNotConfirmAndThoseOfOtherJobsDoNotCount() {
    pages.put("n1", rank("4711", 0, "training", ", \"unsaved_since\": 999000"));
    pages.put("n2", rank("4712", 1, "training", ", \"unsaved_since\": 999000"));

    assertThat(facts.of(JOB)).isEqualTo(JobProgress.UNKNOWN);
  }

  @Test
  void impossibleValuesAreUnknown() {
    pages.put(
        "n1",
        rank(
            "4711",
            1,
            "training",
            ", \"unsaved_since\": -1, \"step_ended\": 1e300, \"usual_step_seconds\": \"x\""));

    assertThat(facts.of(JOB)).isEqualTo(JobProgress.UNKNOWN);
  }

  @Test
  void silentAgentsAndAnswersThatAreNoDocumentsLeaveItUnknown() {
    pages.put("n2", "}{");

    assertThat(facts.of(JOB)).isEqualTo(JobProgress.UNKNOWN);
    assertThat(asked).containsExactly("n1", "n2");
  }

  @Test
  void anAnswerIsKeptForTenSecondsAndForgottenAfterAMinute() {
    saved(999_000);
    JobProgress first = facts.of(JOB);
    now = now.plusSeconds(9);
    assertThat(facts.of(JOB)).isEqualTo(first);
    assertThat(asked).hasSize(2);

    List<Runnable> waiting = new ArrayList<>();
    thread = waiting::add;
    now = now.plusSeconds(10);
    assertThat(facts.of(JOB)).isEqualTo(first);
    assertThat(facts.of(JOB)).isEqualTo(first);
    assertThat(waiting).hasSize(1);
    now = now.plusSeconds(60);
    assertThat(facts.of(JOB)).isEqualTo(JobProgress.UNKNOWN);
    saved(999_500);
    waiting.get(0).run();
    thread = Runnable::run;
    assertThat(facts.of(JOB).durable()).contains(Instant.ofEpochSecond(999_500));
  }

  @Test
  void theFirstAnswerIsNotWaitedForLong() {
    List<Runnable> waiting = new ArrayList<>();
    thread = waiting::add;
    saved(999_000);

    assertThat(facts.of(JOB)).isEqualTo(JobProgress.UNKNOWN);
    assertThat(facts.of(JOB)).isEqualTo(JobProgress.UNKNOWN);
    assertThat(waiting).hasSize(1);

    waiting.get(0).run();
    assertThat(facts.of(JOB).durable()).contains(Instant.ofEpochSecond(999_000));
  }

  @Test
  void theIntervalIsKnownFromCheckpointsThatFollowEachOther() {
    long durable = 999_000;
    for (int i = 0; i < 3; i++) {
      saved(durable);
      JobProgress unused = facts.of(JOB);
      now = now.plusSeconds(30);
      durable += 600;
    }
    assertThat(facts.of(JOB).interval()).contains(Duration.ofMinutes(10));
  }

  @Test
  void checkpointsMayHaveBeenMissedBetweenQuestionsThatLieApart() {
    saved(999_000);
    JobProgress unused = facts.of(JOB);
    now = now.plusSeconds(3_000);
    saved(1_001_800);
    JobProgress again = facts.of(JOB);
    now = now.plusSeconds(1);

    assertThat(facts.of(JOB).durable()).contains(Instant.ofEpochSecond(1_001_800));
    assertThat(facts.of(JOB).interval()).isEmpty();
    assertThat(again).isEqualTo(facts.of(JOB));
  }
}
