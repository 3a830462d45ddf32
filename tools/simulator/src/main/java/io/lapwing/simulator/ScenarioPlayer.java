package io.lapwing.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Plays a scenario's steps on a node, each at its time after the start. Not thread-safe. */
public final class ScenarioPlayer {
  /** How the player waits; tests advance the time instead. */
  public interface Sleeper {
    void sleep(Duration duration) throws InterruptedException;
  }

  private final SimulatedNode node;
  private final Scenario scenario;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private int played;

  public ScenarioPlayer(SimulatedNode node, Scenario scenario) {
    this(node, scenario, InstantSource.system(), d -> Thread.sleep(d.toMillis() + 1));
  }

  public ScenarioPlayer(
      SimulatedNode node, Scenario scenario, InstantSource clock, Sleeper sleeper) {
    this.node = node;
    this.scenario = scenario;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  SimulatedNode node() {
    return node;
  }

  /** Applies the initial state of the scenario. */
  public void begin() {
    node.begin(scenario);
    played = 0;
  }

  /** Plays the due steps; returns their number. */
  public int advanceTo(Duration elapsed) {
    List<Scenario.Step> steps = scenario.steps();
    int before = played;
    while (!finished() && steps.get(played).at().compareTo(elapsed) <= 0) {
      play(steps.get(played));
      played++;
    }
    return played - before;
  }

  public boolean finished() {
    return played == scenario.steps().size();
  }

  /** Starts, and returns after the last step. */
  public void play() throws InterruptedException {
    begin();
    Instant start = clock.instant();
    while (!finished()) {
      Duration elapsed = Duration.between(start, clock.instant());
      advanceTo(elapsed);
      if (!finished()) {
        sleeper.sleep(scenario.steps().get(played).at().minus(elapsed));
      }
    }
  }

  private void play(Scenario.Step step) {
    step.changes().forEach(change -> change.on(node));
  }
}
