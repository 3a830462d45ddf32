package io.lapwing.agent.events;

import io.lapwing.agent.events.LogDirectory.LockedException;
import io.lapwing.agent.events.LogDirectory.LogFiles;
import io.lapwing.agent.events.LogQueue.PendingEvent;
import io.lapwing.agent.events.Storage.DiskStorage;
import io.lapwing.common.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The events on disk, one line each, forced before {@link #append} returns. Each file starts with a
 * snapshot of the history. If the disk fails, events are buffered and {@link #durability} has the
 * reason. Thread-safe; {@code append} and {@code retry} block on the disk.
 */
public final class EventLog implements AutoCloseable {

  /** Events per write: a thousand long ones at once would be half of the agent's heap. */
  private static final int BATCH = 256;

  private static final Log LOG = Log.of(EventLog.class);

  private final LogFiles files;
  private final Limits limits;
  private final InstantSource clock;
  private final Supplier<List<Event>> history;
  private final Storage storage;
  private final UnwrittenEvents unwritten = new UnwrittenEvents();
  private final DurabilityState durability;

  /** Whether events are in the history that were never written: a snapshot has to follow. */
  private volatile boolean hasGaps;

  /** What was read of files that another agent may have written; null if it was this one. */
  private @Nullable Set<Event> readBefore;

  /** Events of the files that are not in the history yet: a snapshot would lose them. */
  private volatile List<Event> missed = List.of();

  private volatile boolean complete;
  private IOException snapshotFailure = new IOException("a snapshot is due");
  private volatile Supplier<Runnable> beforeSnapshot = () -> () -> {};
  private @Nullable LogDirectory directory;
  private boolean closed;

  private EventLog(
      Path dir,
      Limits limits,
      InstantSource clock,
      Supplier<List<Event>> history,
      Storage storage) {
    this.files = new LogFiles(dir.toAbsolutePath());
    this.limits = limits;
    this.clock = clock;
    this.durability = new DurabilityState(clock);
    this.history = history;
    this.storage = storage;
  }

  /**
   * Opens the log and reads it. A torn last line is cut off; other damage costs the lines that it
   * hits. If the directory cannot be written, what can be read is read and events are buffered
   * until it can. Events of a directory that appears only later, or that another agent recorded
   * until then, follow by {@link #restoreMissed}.
   *
   * @param dir is created if it is missing and its parent exists
   * @param history all events, oldest first, some possibly merged by {@link Compaction}; contains
   *     each event before it is appended here, and fits into one file. Called by the appending
   *     thread with the log locked: it must not wait for another thread
   */
  public static OpenResult open(
      Path dir, Limits limits, InstantSource clock, Supplier<List<Event>> history) {
    return open(dir, limits, clock, history, DiskStorage.INSTANCE);
  }

  /** As above, on a given disk. */
  static OpenResult open(
      Path dir,
      Limits limits,
      InstantSource clock,
      Supplier<List<Event>> history,
      Storage storage) {
    return new EventLog(dir, limits, clock, history, storage).open();
  }

  /** Reads a log that an agent may be writing; changes nothing, and its log is closed. */
  public static OpenResult read(Path dir, Limits limits, InstantSource clock) {
    EventLog log = new EventLog(dir, limits, clock, List::of, DiskStorage.INSTANCE);
    log.closed = true;
    LogReader reader = new LogReader(limits.replayBytes());
    reader.readAll(log.files);
    return reader.result(log);
  }

  /** The events on disk, oldest first, of a log that an agent may be writing; changes nothing. */
  public static List<Event> recorded(Path dir, Limits limits) {
    return read(dir, limits, InstantSource.system()).events();
  }

  private synchronized OpenResult open() {
    LogReader reader = new LogReader(limits.replayBytes());
    try {
      directory = LogDirectory.take(files, storage, reader);
      prune(directory);
    } catch (IOException e) {
      durability.failed(e, files.current());
      reader = new LogReader(limits.replayBytes());
      reader.readAll(files);
      readBefore = new HashSet<>(reader.events());
    }
    OpenResult result = reader.result(this);
    complete = !result.incomplete();
    return result;
  }

  /** Appends these events after those that wait; after a crash all or none are read back. */
  public Durability append(List<? extends Event> events) {
    return appendPending(PendingEvent.group(events));
  }

  /** As {@link #append}, but several groups at once, or a part of one. */
  synchronized Durability appendPending(List<PendingEvent> events) {
    unwritten.add(events);
    // An interrupt would close the file during the write.
    boolean interrupted = Thread.interrupted();
    try {
      write();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return durability();
  }

  /** Retries the write of what waits; call it now and then while the log is not durable. */
  public Durability retry() {
    return append(List.of());
  }

  private void write() {
    try {
      LogDirectory open = directory();
      if (hasGaps && unwritten.betweenGroups()) {
        open = startFile(0, open);
      }
      while (!unwritten.isEmpty()) {
        List<PendingEvent> batch = unwritten.oldest(BATCH);
        byte[] lines = EventJson.pendingLines(batch);
        // A group stays in one file.
        if (unwritten.betweenGroups()
            && open.current().isFull(lines.length, limits, clock.instant())) {
          open = startFile(lines.length, open);
        }
        if (!unwritten.isEmpty()) {
          open.current().append(lines, clock.instant());
          unwritten.wrote(batch.size());
        }
      }
      if (hasGaps) {
        throw snapshotFailure;
      }
      durability.succeeded(unwritten.dropped());
    } catch (IOException e) {
      durability.failed(e, files.current());
      if (unwritten.dropOldest()) {
        requireSnapshot();
      }
    }
  }

  /** The directory, opened again if it was lost. */
  private LogDirectory directory() throws IOException {
    if (closed) {
      throw new IOException("the log is closed");
    }
    if (directory != null && directory.isReplaced()) {
      readBefore = directory.isElsewhere() ? Set.of() : null;
      release();
      requireSnapshot();
    } else if (directory != null && directory.current().isBroken()) {
      release();
    }
    if (directory == null) {
      unwritten.rewrite();
      directory = take();
    }
    return directory;
  }

  /** Whether files were deleted or replaced, or the directory was; blocks on the disk. */
  synchronized boolean isReplaced() {
    return directory != null && directory.isReplaced();
  }

  /** Others may have written since the start, or the files could not be read then. */
  private LogDirectory take() throws IOException {
    Set<Event> known = readBefore;
    List<Event> inMemory = known == null ? List.of() : inMemory();
    LogReader reader = new LogReader(known == null ? 0 : limits.replayBytes());
    LogDirectory taken;
    try {
      taken = LogDirectory.take(files, storage, reader);
    } catch (LockedException e) {
      readBefore = known == null ? Set.of() : known;
      throw e;
    }
    if (known != null) {
      List<Event> others = new ArrayList<>(reader.events());
      others.removeAll(known);
      missed = MissedEvents.of(others, inMemory);
      complete = !reader.result(this).incomplete();
      // What waits may be in the files already, or belongs before what is there; and what was
      // there may be gone.
      requireSnapshot();
      readBefore = null;
    }
    return taken;
  }

  /** Moves the events that others recorded meanwhile into the history, once. Does not block. */
  void restoreMissed(Consumer<List<Event>> into) {
    List<Event> events = missed;
    if (!events.isEmpty()) {
      into.accept(events);
      missed = List.of(); // not before: a snapshot may be written meanwhile
    }
  }

  /** Whether the history has what is in the files, since the start or since they were taken. */
  boolean isComplete() {
    return complete && missed.isEmpty();
  }

  /** Starts a new file; if that fails, the full one is used further, up to the limit of all. */
  private LogDirectory startFile(int bytes, LogDirectory open) throws IOException {
    try {
      rotate(open);
      prune(open);
      return open;
    } catch (IOException e) {
      snapshotFailure = e;
      LogDirectory again = directory();
      if (again.current().size() + bytes > limits.maxBytes()) {
        throw e;
      }
      return again;
    }
  }

  private void rotate(LogDirectory open) throws IOException {
    Runnable dequeue = beforeSnapshot.get();
    open.rotate(snapshot(history()));
    // The snapshot contains all that waited.
    hasGaps = false;
    dequeue.run();
    unwritten.clear();
  }

  /** A batch at a time: all lines together would be a tenth of the agent's heap. */
  private static Iterable<byte[]> snapshot(List<Event> all) {
    return () ->
        IntStream.rangeClosed(0, (all.size() - 1) / BATCH)
            .mapToObj(
                i -> {
                  List<Event> some = all.subList(i * BATCH, Math.min(all.size(), (i + 1) * BATCH));
                  return EventJson.snapshotLines(some, i == 0);
                })
            .iterator();
  }

  private List<Event> history() throws IOException {
    List<Event> more = missed; // first: it is empty once the memory has them
    return MissedEvents.merged(inMemory(), more);
  }

  private List<Event> inMemory() throws IOException {
    try {
      return history.get();
    } catch (RuntimeException bug) {
      LOG.error("the event history is not available", bug);
      throw new IOException("the event history is not available", bug);
    }
  }

  private void prune(LogDirectory open) {
    try {
      open.prune(limits, clock.instant());
    } catch (IOException e) {
      IoProblem problem = IoProblem.of(e, files.directory());
      LOG.warn("old event files cannot be deleted", "path", problem.path(), "why", problem.why());
    }
  }

  /**
   * Runs before each snapshot of the history. {@code queued} notes the queued events that it will
   * contain; its result runs once the snapshot is on disk and removes them.
   */
  void beforeSnapshot(Supplier<Runnable> queued) {
    beforeSnapshot = queued;
  }

  /** Events were dropped before they came here: the next write starts a file with a snapshot. */
  void requireSnapshot() {
    hasGaps = true;
  }

  private void release() {
    try {
      if (directory != null) {
        directory.close();
      }
    } catch (IOException e) {
      IoProblem problem = IoProblem.of(e, files.directory());
      LOG.warn("an event file was not closed", "path", problem.path(), "why", problem.why());
    }
    directory = null;
  }

  /** Never blocks. */
  public Durability durability() {
    return durability.current();
  }

  /** The state to report while a write has not returned for that long. */
  Durability hanging(Duration writing) {
    return durability.hanging(writing, files.current());
  }

  /** Events that are in memory only. */
  public int waiting() {
    return unwritten.count();
  }

  /** Events dropped since the start because too many waited; a later snapshot may contain them. */
  public long dropped() {
    return unwritten.dropped();
  }

  /** Writes what waits if possible, and releases the directory for another agent. */
  @Override
  public synchronized void close() {
    retry();
    release();
    closed = true;
  }
}
