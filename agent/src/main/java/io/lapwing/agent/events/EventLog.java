package io.lapwing.agent.events;

import io.lapwing.agent.events.Durability.NotDurable;
import io.lapwing.agent.log.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What happened on this node, in files that outlive the process: one line an event, appended and on
 * the disk before {@link #append} returns. Nothing here throws for a disk that is full, read-only
 * or gone: events wait in memory then, and {@link #durability} says so.
 *
 * <p>All methods may be called from any thread. {@code append} and {@code retry} wait for the disk.
 */
public final class EventLog implements AutoCloseable {

  /** Events that wait for the disk; the oldest go first. */
  static final int MOST_WAITING = 1_000;

  /** As many go into one write: a thousand long ones at once would be half of the agent's heap. */
  private static final int BATCH = 256;

  private static final Log LOG = Log.of(EventLog.class);
  private static final Durability DURABLE = new Durability.Durable();

  /** What is asked for when a file is begun. */
  private enum Memory {
    PART,
    WHOLE
  }

  private final LogFiles files;
  private final Limits limits;
  private final InstantSource clock;
  private final Supplier<List<Event>> stillMatters;
  private final Storage storage;
  private final Deque<Appended> waiting = new ArrayDeque<>();

  /** So many of those that wait are in the file, but nothing there without the next. */
  private int written;

  private final Memory memory;
  private volatile boolean hasGaps;
  private volatile Supplier<Runnable> beforeWhole = () -> () -> {};
  private @Nullable LogDirectory directory;
  private boolean closed;
  private volatile Durability durability = DURABLE;
  private volatile int waitingNow;
  private final AtomicLong dropped = new AtomicLong();

  private EventLog(
      Path dir,
      Limits limits,
      InstantSource clock,
      Supplier<List<Event>> stillMatters,
      Memory memory,
      Storage storage) {
    this.files = new LogFiles(dir.toAbsolutePath());
    this.memory = memory;
    this.limits = limits;
    this.clock = clock;
    this.stillMatters = stillMatters;
    this.storage = storage;
  }

  /**
   * Opens the log and reads what is in it. A last line that was torn is cut off; other damage costs
   * the lines it is in. Where the directory cannot be written, what can be read is read, and the
   * log works in memory until it can; events in a directory that appears only later are kept, but
   * not read before the next start.
   *
   * @param dir is made if it is missing and its parent is not
   * @param stillMatters events that have to outlive the files they are in, oldest first. Asked for
   *     on the thread that appends, while the log is locked: it must not wait for another thread
   */
  public static Opened open(
      Path dir, Limits limits, InstantSource clock, Supplier<List<Event>> stillMatters) {
    return open(dir, limits, clock, stillMatters, DiskStorage.INSTANCE);
  }

  /**
   * The same with a memory that holds all that is appended, before it is: some of it maybe drawn
   * together, and never more than fits into a file.
   *
   * @param all oldest first; asked for as {@code stillMatters} is
   */
  public static Opened openWhole(
      Path dir, Limits limits, InstantSource clock, Supplier<List<Event>> all) {
    return new EventLog(dir, limits, clock, all, Memory.WHOLE, DiskStorage.INSTANCE).opened();
  }

  static Opened open(
      Path dir,
      Limits limits,
      InstantSource clock,
      Supplier<List<Event>> stillMatters,
      Storage storage) {
    return new EventLog(dir, limits, clock, stillMatters, Memory.PART, storage).opened();
  }

  private synchronized Opened opened() {
    Replay replay = new Replay(limits.replayBytes());
    try {
      LogDirectory taken = LogDirectory.take(files, storage, replay);
      directory = taken;
      prune(taken);
    } catch (IOException e) {
      failed(e);
      replay = new Replay(limits.replayBytes());
      replay.readAll(files);
    }
    return replay.opened(this);
  }

  /**
   * Writes these events, and before them those that still wait. What a killed process has written
   * of them counts only if it is all of them.
   *
   * @return whether all of them are on the disk
   */
  public Durability append(List<? extends Event> events) {
    return take(Appended.together(events));
  }

  /** The same for events that know themselves which of them belong together. */
  synchronized Durability take(List<Appended> events) {
    waiting.addAll(events);
    // An interrupt would close the file under the write.
    boolean interrupted = Thread.interrupted();
    try {
      write();
    } finally {
      waitingNow = waiting.size() - written;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return durability;
  }

  /** Tries again to write what waits; worth a call now and then while the log is not durable. */
  public Durability retry() {
    return append(List.of());
  }

  private void write() {
    try {
      LogDirectory open = directory();
      if (hasGaps && written == 0) {
        open = roomFor(0, open);
      }
      while (written < waiting.size()) {
        List<Appended> batch = waiting.stream().skip(written).limit(BATCH).toList();
        byte[] lines = EventJson.appendedLines(batch);
        // What belongs together stays in one file.
        if (written == 0 && open.isFull(lines.length, limits, clock.instant())) {
          open = roomFor(lines.length, open);
        }
        if (!waiting.isEmpty()) {
          open.append(lines, clock.instant());
          written += batch.size();
          forgetWhole();
        }
      }
      succeeded();
    } catch (IOException e) {
      failed(e);
      forgetTheOldest();
    }
  }

  /** Those that nothing more belongs to; the others may have to be written again. */
  private void forgetWhole() {
    int whole = 0;
    int place = 0;
    for (Appended one : waiting) {
      place++;
      if (place > written) {
        break;
      }
      whole = one.more() ? whole : place;
    }
    written -= whole;
    for (int i = 0; i < whole; i++) {
      waiting.removeFirst();
    }
  }

  /** The directory, taken anew where it was lost. */
  private LogDirectory directory() throws IOException {
    if (closed) {
      throw new IOException("the log is closed");
    }
    if (directory != null && directory.isLost()) {
      release();
    }
    if (directory == null) {
      written = 0;
      directory = LogDirectory.take(files, storage, new Replay(0));
    }
    return directory;
  }

  /** A file that is full goes on being written while no new one can be made. */
  private LogDirectory roomFor(int bytes, LogDirectory open) throws IOException {
    try {
      rotate(open);
      prune(open);
      return open;
    } catch (IOException e) {
      LogDirectory again = directory();
      if (again.currentSize() + bytes > limits.maxBytes()) {
        throw e;
      }
      return again;
    }
  }

  private void rotate(LogDirectory open) throws IOException {
    if (memory == Memory.PART) {
      open.rotate(List.of(part()));
      return;
    }
    Runnable forget = beforeWhole.get();
    open.rotate(whole(matter()));
    // It is all in the head, in its order.
    hasGaps = false;
    forget.run();
    waiting.clear();
    written = 0;
  }

  /** A few hundred events at a time: their lines together would be a tenth of the agent's heap. */
  private static Iterable<byte[]> whole(List<Event> all) {
    return () ->
        IntStream.rangeClosed(0, (all.size() - 1) / BATCH)
            .mapToObj(
                i -> {
                  List<Event> some = all.subList(i * BATCH, Math.min(all.size(), (i + 1) * BATCH));
                  return i == 0 ? EventJson.completeLines(some) : EventJson.carriedLines(some);
                })
            .iterator();
  }

  /** Lines of what still matters, the newest as far as they fit; what waits is written anyway. */
  private byte[] part() throws IOException {
    Set<Event> toCome = new HashSet<>();
    waiting.forEach(one -> toCome.add(one.event()));
    List<Event> matter = new ArrayList<>(matter());
    matter.removeIf(toCome::contains);
    byte[] head = EventJson.carriedLines(matter);
    int before = matter.size();
    while (head.length > limits.fileBytes()) {
      matter = matter.subList(matter.size() / 8 + 1, matter.size());
      head = EventJson.carriedLines(matter);
    }
    if (matter.size() < before) {
      LOG.warn("events that still matter do not fit", "lost", before - matter.size());
      dropped.addAndGet(before - matter.size());
    }
    return head;
  }

  private List<Event> matter() throws IOException {
    try {
      return stillMatters.get();
    } catch (RuntimeException bug) {
      LOG.error("nothing says which events still matter", bug);
      throw new IOException("nothing says which events still matter", bug);
    }
  }

  private void prune(LogDirectory open) {
    try {
      open.prune(limits, clock.instant());
    } catch (IOException e) {
      Obstacle obstacle = Obstacle.of(e, files.directory());
      LOG.warn("old events cannot be deleted", "path", obstacle.path(), "why", obstacle.why());
    }
  }

  private void succeeded() {
    if (durability instanceof NotDurable before) {
      LOG.info("events are durable again", "since", before.since(), "dropped", dropped.get());
      durability = DURABLE;
    }
  }

  private void failed(IOException e) {
    Obstacle obstacle = Obstacle.of(e, files.current());
    Instant since = durability instanceof NotDurable before ? before.since() : clock.instant();
    NotDurable now = new NotDurable(obstacle.reason(), since, obstacle.path(), obstacle.why());
    if (!now.equals(durability)) {
      LOG.warn(
          "events are not durable",
          "reason",
          now.reason().text(),
          "path",
          now.path(),
          "why",
          now.why());
    }
    durability = now;
  }

  private void forgetTheOldest() {
    while (waiting.size() - written > MOST_WAITING) {
      waiting.removeFirst();
      dropped.incrementAndGet();
      written = Math.max(0, written - 1);
      hasGaps();
    }
  }

  /**
   * Asks before all that a memory holds is asked for.
   *
   * @param covered sees what waits elsewhere for being appended, and is in the memory already; what
   *     it gives is run once that is on the disk, and forgets it
   */
  void beforeWhole(Supplier<Runnable> covered) {
    beforeWhole = covered;
  }

  /** Something never came here: a memory that holds all of it is to be written as a whole. */
  void hasGaps() {
    hasGaps = memory == Memory.WHOLE;
  }

  private void release() {
    try {
      if (directory != null) {
        directory.close();
      }
    } catch (IOException e) {
      Obstacle obstacle = Obstacle.of(e, files.directory());
      LOG.warn("a file was not closed", "path", obstacle.path(), "why", obstacle.why());
    }
    directory = null;
  }

  /** Never waits for the disk. */
  public Durability durability() {
    return durability;
  }

  /** How it stands while a write does not come back. */
  Durability hanging(Duration writing) {
    String why = "a write has not come back for " + writing.toSeconds() + " s";
    return new NotDurable(
        Durability.Reason.HANGS, clock.instant().minus(writing), files.current(), why);
  }

  /** Events that are in memory only. */
  public int waiting() {
    return waitingNow;
  }

  /** Events that were lost since the start: too many waited, or too many mattered still. */
  public long dropped() {
    return dropped.get();
  }

  /** Writes what waits if that works, and lets another agent have the directory. */
  @Override
  public synchronized void close() {
    retry();
    release();
    closed = true;
  }
}
