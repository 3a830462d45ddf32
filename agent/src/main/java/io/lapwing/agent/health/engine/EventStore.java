package io.lapwing.agent.health.engine;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Durability;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventHistory;
import io.lapwing.agent.events.EventLog;
import io.lapwing.agent.events.Limits;
import io.lapwing.agent.events.LogQueue;
import io.lapwing.agent.events.OpenResult;
import io.lapwing.agent.health.HealthSamples.EventLogStatus;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.common.log.Log;
import io.lapwing.common.process.StartupProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The events in memory, restored from and written to the log in the state directory. */
final class EventStore implements AutoCloseable {

  private static final Log LOG = Log.of(EventStore.class);
  private static final String NOT_RESTORED = "; " + AgentStatus.NOT_RESTORED;
  private static final String TIMED_OUT = "it did not answer when the agent started" + NOT_RESTORED;
  private static final String UNREAD = "it could not be read when the agent started";

  private final Path state;
  private final boolean once;
  private final List<Event> restored;
  private final boolean incomplete;
  private final Optional<LogQueue> log;
  private final EventHistory history;
  private final Consumer<Event> listener;

  /**
   * Opens the log within a startup probe's deadline. {@code chore} runs on the log's thread; {@code
   * listener} receives every event, restored ones first; {@code shown} hides private data.
   */
  EventStore(
      Settings settings,
      PollClock clock,
      Runnable chore,
      Consumer<Event> listener,
      UnaryOperator<Event> shown) {
    this.state = settings.paths().state();
    this.once = settings.once();
    this.listener = listener;
    // The log reads the history when it rotates, on its own thread, after this constructor.
    AtomicReference<EventHistory> inMemory = new AtomicReference<>();
    Optional<OpenResult> opened =
        open(clock, () -> Optional.ofNullable(inMemory.get()).orElseThrow().events());
    Optional<LogQueue> queue =
        opened.filter(any -> !once).map(kept -> new LogQueue(kept.log(), chore));
    this.log = queue;
    this.incomplete =
        opened
            .filter(OpenResult::incomplete)
            .filter(kept -> once || kept.log().durability() instanceof Durability.NotDurable)
            .isPresent();
    this.restored = opened.map(OpenResult::events).orElse(List.of());
    this.history =
        new EventHistory(
            restored, events -> queue.ifPresent(open -> open.add(events)), listener, shown);
    inMemory.set(history);
  }

  /** A run that prints once keeps no log: it only reads the log of another agent. */
  private Optional<OpenResult> open(PollClock clock, Supplier<List<Event>> inMemory) {
    if (once && !Files.isDirectory(state)) {
      return Optional.empty();
    }
    Optional<OpenResult> answer =
        StartupProbe.run(
            "state",
            () ->
                once
                    ? EventLog.read(state, Limits.DEFAULT, clock)
                    : EventLog.open(state, Limits.DEFAULT, clock, inMemory));
    if (answer.isEmpty()) {
      LOG.warn("events are not kept on disk", "path", state, "why", TIMED_OUT);
      return answer;
    }
    OpenResult opened = answer.get();
    opened.problems().forEach(problem -> LOG.warn("damage in the event log", "what", problem));
    if (opened.unknownKinds() > 0) {
      LOG.warn("skipped lines of a newer agent in the event log", "lines", opened.unknownKinds());
    }
    if (!once && opened.log().durability() instanceof Durability.NotDurable not) {
      LOG.warn("events are not kept on disk", "path", not.path(), "why", not.why());
    }
    return answer;
  }

  EventHistory history() {
    return history;
  }

  List<Event> restored() {
    return restored;
  }

  /** What another agent recorded in the directory since the start, now in the history too. */
  List<Event> restoreMissed() {
    List<Event> missed = new ArrayList<>();
    log.ifPresent(open -> open.restoreMissed(events -> missed.addAll(history.insert(events))));
    // Those of an earlier boot would end the counts of this one.
    BootDetector.ofThisBoot(missed, history.events()).forEach(listener);
    return missed;
  }

  /** Why events are not written to disk; empty while they are. */
  Optional<String> unavailableReason() {
    if (log.isEmpty() && !once) {
      return Optional.of(state + ": " + TIMED_OUT);
    }
    Optional<String> now =
        log.map(LogQueue::durability)
            .filter(Durability.NotDurable.class::isInstance)
            .map(Durability.NotDurable.class::cast)
            .map(not -> not.path() + ": " + not.why());
    boolean unread = incomplete && log.filter(LogQueue::isComplete).isEmpty();
    return unread ? Optional.of(now.orElse(state + ": " + UNREAD) + NOT_RESTORED) : now;
  }

  EventLogStatus status() {
    boolean durable =
        log.filter(open -> open.durability() instanceof Durability.Durable).isPresent();
    return EventLogStatus.of(durable, history.counts(), log.map(LogQueue::dropped).orElse(0L));
  }

  @Override
  public void close() {
    log.ifPresent(LogQueue::close);
  }
}
