package io.lapwing.drain.intake.agents;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.Outcome;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.agents.HealthDocument.Cause;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Polls the agents of all nodes, for clusters without Alertmanager. A few threads poll one node
 * after the other; a node that does not answer makes no request, since it has no verdict.
 */
public final class HealthPoller implements AutoCloseable {

  private final AgentReader agents;
  private final RequestIntake requests;
  private final Supplier<Duration> freshness;
  private final ExecutorService threads;

  /**
   * @param parallel number of nodes that are asked at a time
   * @param freshness greatest age of a verdict, as it is configured now
   */
  public HealthPoller(
      AgentReader agents, RequestIntake requests, int parallel, Supplier<Duration> freshness) {
    this.agents = agents;
    this.requests = requests;
    this.freshness = freshness;
    this.threads =
        Executors.newFixedThreadPool(
            parallel,
            work -> {
              Thread thread = new Thread(work, "health-poller");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * The result of a round.
   *
   * @param answered number of nodes with a verdict
   * @param silent the others, each with the reason
   * @param intake the requests
   */
  public record Round(int answered, Map<NodeName, String> silent, Intake intake) {}

  /**
   * Polls all nodes once; ends when the last has answered or its deadline has passed.
   *
   * @param clock goes on meanwhile: with many silent nodes the last is asked minutes later
   */
  public Round poll(Collection<NodeName> nodes, InstantSource clock) {
    Map<NodeName, CompletableFuture<Received>> asked = new LinkedHashMap<>();
    nodes.forEach(
        node -> asked.put(node, CompletableFuture.supplyAsync(() -> ask(node, clock), threads)));
    Map<NodeName, String> silent = new TreeMap<>();
    List<Outcome> outcomes = new ArrayList<>();
    requests.together(
        () ->
            asked.forEach(
                (node, answer) -> {
                  try {
                    Received received = answer.join();
                    request(node, received)
                        .ifPresent(request -> outcomes.add(requests.take(request, received.at())));
                  } catch (CompletionException | CancellationException e) {
                    silent.put(node, reason(e));
                  }
                }));
    return new Round(
        asked.size() - silent.size(), silent, requests.report(Channel.AGENT, new Intake(outcomes)));
  }

  private record Received(HealthDocument document, Instant at) {}

  private Received ask(NodeName node, InstantSource clock) {
    try {
      return new Received(agents.read(node), clock.instant());
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static String reason(RuntimeException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }

  private Optional<Request> request(NodeName node, Received received) {
    Instant now = received.at();
    HealthDocument document = received.document();
    NodeHealth health = document.health();
    Duration most = freshness.get();
    boolean fresh = !health.at().isBefore(now.minus(most)) && !health.at().isAfter(now.plus(most));
    boolean certain = health.verdict() == Verdict.FAILING || health.verdict() == Verdict.DEGRADED;
    return document
        .finding()
        .filter(cause -> fresh && certain && health.action().takesNode())
        .map(cause -> request(node, cause, health));
  }

  private static Request request(NodeName node, Cause cause, NodeHealth health) {
    return new Request(
        "agent/" + node + "/" + cause.rule() + "/" + cause.action().word() + "/" + cause.since(),
        node,
        health.action(),
        cause.urgency(),
        cause.rule(),
        health.what(),
        Channel.AGENT.word(),
        cause.since(),
        false);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
