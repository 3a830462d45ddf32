package io.lapwing.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays every fault on one node in turn and heals it in between, repeatedly in the same order and
 * at the same pace. A reader that sees the same faults twice has no reason to use more memory.
 *
 * <p>Each training job has a number of its own, as on a real node: what a reader keeps by job must
 * not grow with the number of jobs.
 *
 * <p>A scenario's steps are compressed into its turn. Its history is left out, because a running
 * agent has its own, and so are reboots, which no agent survives.
 */
public final class Churn {
  /** Share of a turn with the scenario; the node is healthy in the rest. */
  private static final double BROKEN = 0.7;

  private final SimulatedNode node;
  private final List<Scenario> scenarios;
  private final Duration turn;
  private final InstantSource clock;
  private final ScenarioPlayer.Sleeper sleeper;
  private final Map<String, String> healthy;
  private int jobs;

  /**
   * @param node a healthy node
   * @param scenarios scenarios that need more GPUs or devices than the node has are skipped
   * @param pass duration of one pass through all scenarios
   */
  public Churn(SimulatedNode node, List<Scenario> scenarios, Duration pass) {
    this(node, scenarios, pass, InstantSource.system(), d -> Thread.sleep(d.toMillis() + 1));
  }

  Churn(
      SimulatedNode node,
      List<Scenario> scenarios,
      Duration pass,
      InstantSource clock,
      ScenarioPlayer.Sleeper sleeper) {
    this.node = node;
    this.scenarios = scenarios.stream().filter(scenario -> fits(scenario, node.type())).toList();
    this.turn = pass.dividedBy(Math.max(1, this.scenarios.size()));
    this.clock = clock;
    this.sleeper = sleeper;
    this.healthy = node.lines();
  }

  private static boolean fits(Scenario scenario, InstanceType type) {
    return scenario.gpusNeeded() <= type.gpuCount()
        && scenario.efaDevicesNeeded() <= type.efaCount();
  }

  public List<Scenario> scenarios() {
    return scenarios;
  }

  /** Plays each scenario once. Each turn starts on schedule, even if the one before took longer. */
  public void pass(Instant start) throws InterruptedException {
    for (int i = 0; i < scenarios.size(); i++) {
      Instant begin = start.plus(turn.multipliedBy(i));
      until(begin);
      play(scenarios.get(i), begin);
      heal();
      // The end of a job removed lines that a healthy node has.
      heal();
    }
    until(start.plus(turn.multipliedBy(scenarios.size())));
  }

  private void play(Scenario scenario, Instant begin) throws InterruptedException {
    node.setAll(withNewJob(scenario.set()));
    double broken = turn.toNanos() * BROKEN;
    for (Scenario.Step step : scenario.steps()) {
      // Keep the last step for a while before healing.
      double share = (double) step.at().toNanos() / lastOf(scenario).toNanos() * 0.8;
      until(begin.plusNanos((long) (broken * share)));
      for (Change change : step.changes()) {
        if (!(change instanceof Change.Reboot || change instanceof Change.Replace)) {
          change.on(node);
        }
      }
    }
    until(begin.plusNanos((long) broken));
  }

  private Map<String, String> withNewJob(Map<String, String> lines) {
    Map<String, String> own = new LinkedHashMap<>(lines);
    own.computeIfPresent(
        TrainingSettings.JOB, (key, number) -> Long.toString(Long.parseLong(number) + jobs++));
    return own;
  }

  private static Duration lastOf(Scenario scenario) {
    Duration last = scenario.steps().get(scenario.steps().size() - 1).at();
    return last.isZero() ? Duration.ofSeconds(1) : last;
  }

  private void heal() {
    Map<String, String> now = node.lines();
    Map<String, String> back = new LinkedHashMap<>(healthy);
    back.entrySet().removeIf(line -> kept(line.getKey()));
    back.entrySet().removeIf(line -> line.getValue().equals(now.get(line.getKey())));
    List<String> gone = new ArrayList<>(now.keySet());
    gone.removeIf(key -> healthy.containsKey(key) || kept(key));
    node.change(back, gone);
  }

  /** True for events, which readers may still need, and for the time. */
  private static boolean kept(String key) {
    return key.startsWith("event.") || key.equals("time");
  }

  private void until(Instant moment) throws InterruptedException {
    Duration left = Duration.between(clock.instant(), moment);
    if (left.compareTo(Duration.ZERO) > 0) {
      sleeper.sleep(left);
    }
  }
}
