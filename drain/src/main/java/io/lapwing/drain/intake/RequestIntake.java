package io.lapwing.drain.intake;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.IntakeCounts.Series;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands requests of all channels to the controller, one at a time and each once, and counts and
 * logs what became of them. Thread-safe.
 */
public final class RequestIntake {

  private static final Logger LOG = LoggerFactory.getLogger(RequestIntake.class);

  /** Of 1,000 nodes with ten alerts each. */
  private static final int MOST = 10_000;

  /**
   * Alertmanager repeats an alert every 15 minutes. One that still fires after an hour is handled
   * again, since the remediation that it began may have ended.
   */
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private final RequestSink sink;
  private final RequestKeys seen = new RequestKeys(new SeenKeys(MOST, REMEMBERED));

  /** Nodes that are being returned, and since when. */
  private final Map<NodeName, Instant> returning = new ConcurrentHashMap<>();

  private final Map<Series, Long> counts = new ConcurrentHashMap<>();

  public RequestIntake(RequestSink sink) {
    this.sink = sink;
  }

  /** Accepts the requests of one message. */
  public void together(Runnable requests) {
    sink.together(requests);
  }

  /** Takes a request in, unless it is known. */
  public synchronized Outcome take(Request request, Instant now) {
    String rule = request.rule().isEmpty() ? "" : ", " + request.rule();
    String what = request.node() + ", " + request.remedy().word() + rule;
    // Before the sink has it: what becomes of the request may be known before the sink returns.
    if (!seen.add(request, now)) {
      return new Outcome(Result.DUPLICATE, what);
    }
    try {
      Optional<String> declined = sink.request(request, now);
      if (request.trial()) {
        return new Outcome(Result.TRIAL, what);
      }
      return declined
          .map(why -> new Outcome(Result.DECLINED, what + ": " + why))
          .orElseGet(() -> new Outcome(Result.TAKEN, what));
    } catch (IOException e) {
      seen.remove(request);
      return new Outcome(Result.NOT_WRITTEN, what + ": " + e.getMessage());
    }
  }

  /**
   * Follows the journal. A request that was not needed, or came while the node was being returned,
   * may be needed by now: if it is repeated, the agent is queried again. Any other end is final for
   * the same firing. Not synchronized: it does not wait for requests in progress.
   */
  public void decided(Entry entry) {
    Remediation state = entry.state();
    if (state.phase() == Phase.NOT_NEEDED) {
      seen.forget(state.node(), state.opened());
    } else if (state.phase() == Phase.RETURNING) {
      returning.putIfAbsent(state.node(), state.since());
    } else {
      Instant began = returning.remove(state.node());
      if (began != null && state.phase() == Phase.RETURNED) {
        seen.forget(state.node(), began);
      }
    }
  }

  /** Counts and logs the results of a message. Waits for no request, so that a scrape does not. */
  public Intake report(Channel channel, Intake intake) {
    for (Outcome outcome : intake.outcomes()) {
      counts.merge(new Series(channel, outcome.result()), 1L, Long::sum);
      log(channel, outcome);
    }
    return intake;
  }

  private static void log(Channel channel, Outcome outcome) {
    Result result = outcome.result();
    if (result.later() || result.refused() || result == Result.REST_UNKNOWN) {
      LOG.warn("request by {}: {}", channel.word(), outcome);
    } else if (result != Result.DUPLICATE) {
      LOG.info("request by {}: {}", channel.word(), outcome);
    }
  }

  /** What became of all messages since the start. */
  public IntakeCounts counts() {
    return new IntakeCounts(counts);
  }
}
