package io.lapwing.nccl;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.NodeAddresses;
import io.lapwing.linux.ProcFs;
import io.lapwing.metric.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * NCCL's RAS service of the jobs on this node, queried at the slow cadence on its own thread, since
 * a rank that does not respond takes ten seconds; a late result is exposed one round later.
 *
 * <pre>
 * lapwing_nccl_ras_up 1
 * lapwing_nccl_ras_info{version="2.29.1",format="json"} 1
 * lapwing_nccl_ranks{comm="ae94423cfbb2ef4a"} 512                                       size
 * lapwing_nccl_missing_ranks{comm="ae94423cfbb2ef4a"} 1                                 missing_ranks
 * lapwing_nccl_rank_async_error{comm="ae94423cfbb2ef4a",rank="8",gpu="0"} 0             async_error
 * lapwing_nccl_collectives_total{comm="ae94423cfbb2ef4a",rank="8",operation="AllReduce"} 6650
 * lapwing_nccl_collectives_behind{comm="ae94423cfbb2ef4a",rank="8"} 0
 * lapwing_nccl_collectives_still_seconds{comm="ae94423cfbb2ef4a",rank="8"} 0
 * </pre>
 */
public final class RasSource extends FixedSource {

  public static final String COLLECTOR = "nccl_ras";

  /** Its kind as a part of the node. */
  public static final String KIND = "nccl";

  /** Above this reply size the service is queried less often. */
  static final long LARGE_BYTES = 8L << 20;

  private static final double SLOW_SECONDS = 2;

  /** A dead rank causes one slow reply; the next is fast again. Only repeated ones back off. */
  private static final int MAX_SLOW = 2;

  private static final int BACKOFF_ROUNDS = 5;

  private static final int MAX_VERSIONS = 16;
  private static final String QUESTION = "NCCL RAS";

  private final RasEndpoint endpoint;
  private final ProcFs proc;
  private final NodeAddresses addresses;
  private final LongSupplier nanos;
  private final RasRound.Limits limits;
  private final CommunicatorTracker tracker;
  private final Map<List<String>, Labels> infos = new HashMap<>();
  private @Nullable FutureTask<RasRound.Outcome> running;
  private RasRound.@Nullable Outcome last;
  private String textVersion = "";
  private long rounds;
  private int slow;
  private int wait;
  private boolean backedOff;

  public RasSource(RasEndpoint endpoint, ProcFs proc, NodeAddresses addresses) {
    this(endpoint, proc, addresses, System::nanoTime, RasRound.Limits.DEFAULT);
  }

  RasSource(
      RasEndpoint endpoint,
      ProcFs proc,
      NodeAddresses addresses,
      LongSupplier nanos,
      RasRound.Limits limits) {
    super("nccl-ras", SERVICES, Part.whole(KIND));
    add(COLLECTOR, Cadence.SLOW, this::collect);
    this.endpoint = endpoint;
    this.proc = proc;
    this.addresses = addresses;
    this.nanos = nanos;
    this.limits = limits;
    this.tracker = new CommunicatorTracker(proc);
  }

  @Override
  public PageShare share() {
    return PageShare.NCCL;
  }

  private void collect(SampleSink sink) {
    startIfDue();
    take(sink);
    tracker.dropExited();
    put(sink);
  }

  private void startIfDue() {
    if (running == null && wait-- <= 0) {
      boolean discover = rounds++ % BACKOFF_ROUNDS == 0;
      RasRound.Known known = new RasRound.Known(tracker.known(), discover, !textVersion.isEmpty());
      RasRound round = new RasRound(endpoint, proc, addresses, limits);
      FutureTask<RasRound.Outcome> task = new FutureTask<>(() -> round.ask(known));
      Thread thread = new Thread(task, "lapwing-nccl-ras");
      thread.setDaemon(true);
      thread.start();
      running = task;
    }
  }

  private void take(SampleSink sink) {
    FutureTask<RasRound.Outcome> task = running;
    if (task == null) {
      return;
    }
    try {
      RasRound.Outcome outcome = task.get(limits.patience().toNanos(), TimeUnit.NANOSECONDS);
      running = null;
      last = outcome;
      apply(outcome, sink);
    } catch (TimeoutException notYet) {
      // It has its own deadline; the next round collects its result.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException bug) {
      running = null;
      throw new IllegalStateException(bug.getCause());
    }
  }

  private void apply(RasRound.Outcome outcome, SampleSink sink) {
    outcome
        .failure()
        .map(RasFailure::reason)
        .filter(reason -> !reason.equals(RasFailure.REFUSED))
        .ifPresent(reason -> sink.failed(QUESTION, reason));
    tracker.take(outcome.replies(), nanos.getAsLong());
    noteText(outcome.replies(), sink);
    backOff(outcome);
  }

  /** The version of a text-only service is queried once. */
  private void noteText(List<RasReply> replies, SampleSink sink) {
    Optional<RasReply> text = replies.stream().filter(reply -> !reply.json()).findFirst();
    if (text.isEmpty()) {
      textVersion = "";
    } else {
      sink.failed(QUESTION, "text_only");
      if (textVersion.isEmpty()) {
        textVersion = text.get().version();
      }
    }
  }

  private void backOff(RasRound.Outcome outcome) {
    slow = outcome.seconds() > SLOW_SECONDS ? slow + 1 : 0;
    boolean large =
        outcome.replies().stream().anyMatch(reply -> reply.bytes() > LARGE_BYTES)
            || outcome
                .failure()
                .filter(why -> why.reason().equals(RasFailure.TOO_LARGE))
                .isPresent();
    backedOff = large || slow >= MAX_SLOW;
    wait = backedOff ? BACKOFF_ROUNDS - 1 : 0;
  }

  private void put(SampleSink sink) {
    RasRound.Outcome outcome = last;
    if (outcome == null) {
      return;
    }
    boolean up = !outcome.replies().isEmpty();
    sink.add(NcclMetrics.RAS_UP, Labels.NONE, up ? 1 : 0);
    sink.add(NcclMetrics.RAS_BACKED_OFF, Labels.NONE, backedOff ? 1 : 0);
    if (up) {
      outcome.replies().stream()
          .map(this::info)
          .distinct()
          .forEach(info -> sink.add(NcclMetrics.RAS_INFO, info, 1));
      sink.add(NcclMetrics.RAS_REPLY_BYTES, Labels.NONE, (double) outcome.bytes());
      sink.add(NcclMetrics.RAS_REPLY_SECONDS, Labels.NONE, outcome.seconds());
      outcome.replies().stream()
          .flatMapToDouble(reply -> reply.collectionSeconds().stream())
          .max()
          .ifPresent(value -> sink.add(NcclMetrics.RAS_COLLECTION_SECONDS, Labels.NONE, value));
      outcome.replies().stream()
          .flatMapToInt(reply -> reply.timeouts().stream())
          .max()
          .ifPresent(value -> sink.add(NcclMetrics.RAS_TIMEOUTS, Labels.NONE, value));
    }
    if (!up || outcome.replies().stream().anyMatch(RasReply::json)) {
      tracker.put(sink);
    }
  }

  private Labels info(RasReply reply) {
    if (infos.size() > MAX_VERSIONS) {
      infos.clear();
    }
    return infos.computeIfAbsent(
        reply.json() ? List.of(reply.version(), "json") : List.of(textVersion, "text"),
        key -> Labels.of("version", key.get(0), "format", key.get(1)));
  }
}
