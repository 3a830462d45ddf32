package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Log;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.web.WebSecurity;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.agents.HealthPoller.Round;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether faults can reach the controller: without an input it looks healthy but does nothing.
 * Thread-safe.
 */
final class InputWatch {
  private static final Log LOG = Log.of(InputWatch.class);

  private final Optional<String> none;
  private Optional<Agents> agents = Optional.empty();
  private Set<NodeName> silent = Set.of();
  private Optional<Queue> queue = Optional.empty();

  /** How many agents answered when all were last polled. */
  record Agents(int answered, int silent) {}

  /** The queue of SQS, with why it cannot be read; empty if it can. */
  record Queue(Optional<String> problem) {}

  private InputWatch(Optional<String> none) {
    this.none = none;
  }

  static InputWatch of(DrainSettings settings) {
    boolean any =
        settings.get(DrainOptions.AGENT_POLL).isPresent()
            || settings.get(DrainOptions.SQS_QUEUE).isPresent()
            || !settings.get(DrainOptions.SNS_TOPICS).isEmpty()
            || settings
                .get(DrainOptions.WEB_CONFIG_FILE)
                .filter(InputWatch::identifies)
                .isPresent();
    return new InputWatch(
        any
            ? Optional.empty()
            : Optional.of(
                "no fault reaches the controller: set agent.poll, sqs.queue, sns.topics, or"
                    + " web.config.file with users, and restart it"));
  }

  private static boolean identifies(Path file) {
    try (WebSecurity web = WebSecurity.open(file)) {
      return web.restricted();
    } catch (ConfigException wrong) {
      return false; // Reported where the file is checked.
    }
  }

  void logNone() {
    none.ifPresent(why -> LOG.warn("no input", "reason", why));
  }

  /** All agents were polled. Logs a change of the agents that do not answer. */
  synchronized void polled(Round round) {
    Map<NodeName, String> now = round.silent();
    agents = Optional.of(new Agents(round.answered(), now.size()));
    if (now.keySet().equals(silent)) {
      return;
    }
    silent = Set.copyOf(now.keySet());
    if (now.isEmpty()) {
      LOG.info("all agents answer", "agents", round.answered());
      return;
    }
    Map.Entry<NodeName, String> first = now.entrySet().iterator().next();
    LOG.warn(
        "agents do not answer",
        "silent",
        now.size(),
        "answered",
        round.answered(),
        "first",
        first.getKey(),
        "reason",
        first.getValue());
  }

  /** The queue was read, or not. Logged when that changes. */
  synchronized void queueRead(Optional<String> problem) {
    boolean before = queue.flatMap(Queue::problem).isPresent();
    queue = Optional.of(new Queue(problem));
    if (problem.isPresent() && !before) {
      LOG.error("the queue of SQS cannot be read", "reason", problem.get());
    } else if (problem.isEmpty() && before) {
      LOG.info("the queue of SQS can be read again");
    }
  }

  synchronized Optional<Agents> agents() {
    return agents;
  }

  synchronized Optional<Queue> queue() {
    return queue;
  }

  /** The problem of the inputs, for the status. */
  synchronized List<String> problems() {
    List<String> problems = new ArrayList<>(none.stream().toList());
    agents
        .filter(known -> known.silent() > 0)
        .ifPresent(
            known ->
                problems.add(
                    known.silent()
                        + " of "
                        + PlainText.count(known.answered() + known.silent(), "agent")
                        + " did not answer"));
    queue
        .flatMap(Queue::problem)
        .ifPresent(why -> problems.add("the queue of SQS cannot be read: " + why));
    return problems;
  }
}
