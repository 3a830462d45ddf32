package io.lapwing.agent.check;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.text.TimeText;
import io.lapwing.agent.web.HealthJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds out how the node is: from the agent that runs, else by looking itself.
 *
 * <p>Only where nobody listens on this machine: an agent that is there and does not answer is
 * itself a finding, and another machine's health cannot be seen from here.
 *
 * @param ownLook looks at this machine for a moment
 */
public record Check(AgentClient client, Supplier<HealthReport> ownLook, InstantSource clock) {

  /** The agent judges every few seconds. */
  private static final Duration FRESH = Duration.ofSeconds(60);

  /**
   * Asks and, where it must, looks.
   *
   * @param address empty where the agent's port is not known
   */
  public Outcome run(Optional<AgentAddress> address) throws InterruptedException {
    if (address.isEmpty()) {
      return look("the port of the agent is not known: looked for itself");
    }
    AgentAddress where = address.get();
    AgentReply reply = client.ask(where);
    if (reply instanceof AgentReply.Health health) {
      return told(health, where);
    }
    if (reply instanceof AgentReply.Nonsense nonsense) {
      return unknown("the agent at " + where + " gives " + nonsense.why());
    }
    String why = ((AgentReply.Nobody) reply).why();
    return where.thisMachine()
        ? look("no agent answers at " + where + " (" + why + "): looked for itself")
        : unknown("no agent answers at " + where + " (" + why + ")");
  }

  private Outcome told(AgentReply.Health health, AgentAddress where) {
    Instant now = health.sent().orElseGet(clock::instant);
    Instant judged = health.report().at();
    boolean stale = Duration.between(judged, now).compareTo(FRESH) > 0;
    return new Outcome(
        health.report(),
        health.json(),
        "the agent at " + where,
        stale
            ? Optional.of("the agent has not judged since " + TimeText.moment(judged))
            : Optional.empty(),
        Optional.empty(),
        now);
  }

  private Outcome look(String note) {
    try {
      return own(ownLook.get(), Optional.empty(), Optional.of(note));
    } catch (RuntimeException e) {
      return own(
          unjudged("nothing could be seen: " + e),
          Optional.of("nothing could be seen: " + e),
          Optional.of(note));
    }
  }

  private Outcome unknown(String why) {
    return own(unjudged(why), Optional.of(why), Optional.empty());
  }

  private HealthReport unjudged(String why) {
    return HealthReport.unjudged(clock.instant(), why, "", false);
  }

  private Outcome own(HealthReport report, Optional<String> doubt, Optional<String> note) {
    String json = new String(HealthJson.write(report), StandardCharsets.UTF_8);
    return new Outcome(report, json, "this command", doubt, note, clock.instant());
  }
}
