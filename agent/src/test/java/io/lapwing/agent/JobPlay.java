package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.JobRun;
import io.lapwing.simulator.PassingTime;
import io.lapwing.simulator.Scenario;
import io.lapwing.simulator.ScenarioPlayer;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A scenario with a training job under the eyes of an agent. */
final class JobPlay implements AutoCloseable {

  private final JobScenario expected;
  private final ScenarioPlayer player;
  private final PassingTime time;
  private final JobRun job;
  private final TestAgent agent;
  private final long began = System.nanoTime();

  /** Causes by subject, each with its sentences. */
  private final Map<String, Map<String, String>> causes = new TreeMap<>();

  private final Set<String> findings = new TreeSet<>();
  private final Set<String> verdicts = new TreeSet<>();

  private JobPlay(JobScenario expected, SimulatedNode node) throws Exception {
    this.expected = expected;
    this.player = new ScenarioPlayer(node, Scenario.named(expected.scenario()));
    player.begin();
    this.time = node.letTimePass();
    this.job = node.letJobRun();
    String devices = "--health.expected-efa-devices=" + (expected.efa() ? "auto" : "0");
    this.agent =
        TestAgent.started(TestAgent.settings(node, devices), PollClock.SYSTEM, nvml -> nvml);
  }

  static JobPlay start(Path dir, JobScenario expected) throws Exception {
    InstanceType type = InstanceType.named("p5.48xlarge");
    return new JobPlay(
        expected, SimulatedNode.create(dir, expected.efa() ? type : type.withoutEfa()));
  }

  /** Continues the scenario, and records the agent's reports. */
  void look() {
    player.advanceTo(Duration.ofNanos(System.nanoTime() - began));
    if (!agent.wiring().evaluated()) {
      return;
    }
    HealthReport report = agent.wiring().health().report();
    verdicts.add(report.verdict().toString().toLowerCase(Locale.ROOT));
    report.findings().stream().map(Finding::rule).forEach(findings::add);
    for (Slowness.Rank rank : report.slowness().ranks()) {
      causes
          .computeIfAbsent(rank.subject(), unseen -> new TreeMap<>())
          .merge(rank.cause(), rank.sentence(), JobPlay::both);
    }
  }

  private static String both(String sentences, String last) {
    return sentences.endsWith(last) ? sentences : sentences + "\n" + last;
  }

  void assertAllWasSaid() {
    // On a busy machine a rank may really be late for minutes; no node is at fault then.
    Set<String> others = new TreeSet<>(findings);
    others.removeAll(expected.findings());
    others.remove("training_straggler");
    assertThat(others).as(this::text).isEmpty();
    assertThat(findings).as(this::text).containsAll(expected.findings());
    for (int rank = 0; rank < 8; rank++) {
      boolean isTheOne = expected.rank().isEmpty() || expected.rank().equals("" + rank);
      String cause = isTheOne ? expected.cause() : expected.waiting();
      Map<String, String> said = causes.getOrDefault("training:4711/" + rank, Map.of());
      // On a busy machine a rank may lose a little for no known reason.
      Set<String> known = new TreeSet<>(said.keySet());
      known.remove("unknown");
      assertThat(known)
          .as(this::text)
          .isEqualTo(cause.isEmpty() || cause.equals("unknown") ? Set.of() : Set.of(cause));
      if (!cause.isEmpty()) {
        assertThat(said).as(this::text).containsKey(cause);
        assertThat(said.get(cause)).contains(isTheOne ? expected.evidence() : "");
      }
    }
    assertThat(verdicts).as(this::text).contains(expected.verdict());
    verdicts.removeAll(List.of("unknown", "healthy", expected.verdict()));
    assertThat(verdicts).as(this::text).isEmpty();
  }

  private String text() {
    return expected + "\n" + verdicts + "\n" + findings + "\n" + causes;
  }

  @Override
  public String toString() {
    return expected.toString();
  }

  @Override
  public void close() {
    agent.close();
    job.close();
    time.close();
  }
}
