package io.lapwing.agent.events;

import io.lapwing.agent.events.EventJson.ParsedLine;
import io.lapwing.agent.events.LogDirectory.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the events of the files, oldest first, each once, and the problems found in them. */
final class LogReader {

  private static final int MAX_PROBLEMS = 100;

  private final long maxBytes;
  private final Set<Event> events = new LinkedHashSet<>();

  /** Those that are not of a snapshot: the oldest are dropped when there are too many. */
  private final Deque<Line> own = new ArrayDeque<>();

  private long ownBytes;

  /** The lines of a group, as far as it was read. */
  private final List<Line> group = new ArrayList<>();

  /** By group key: the last kernel log sequence that the snapshot contains, maybe merged. */
  private final Map<String, Long> covered = new HashMap<>();

  private final List<OpenResult.Problem> problems = new ArrayList<>();
  private long malformed;
  private long unknownKinds;
  private boolean incomplete;

  private record Line(Event event, boolean carried, long bytes) {}

  /** Keeps {@code maxBytes} of lines, beside snapshots. */
  LogReader(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Reads all files, of a log that another agent writes or that cannot be written. */
  void readAll(LogFiles files) {
    readOlder(files);
    readOne(files.current());
  }

  /**
   * Reads the older files, newest first, as far as they fit whole; none if the current file starts
   * with a complete snapshot.
   */
  void readOlder(LogFiles files) {
    try {
      files.foreign().forEach(one -> problem(one, 0, "not a regular file; passed over"));
      if (FileScan.startsComplete(files.current())) {
        return;
      }
      List<Path> older = files.older();
      for (Path file : older.subList(firstThatFits(older, files.current()), older.size())) {
        readOne(file);
      }
    } catch (IOException e) {
      incomplete = true;
      problem(
          files.directory(), 0, "cannot be listed: " + IoProblem.of(e, files.directory()).why());
    }
  }

  private int firstThatFits(List<Path> older, Path current) throws IOException {
    long room = maxBytes - size(current);
    int first = older.size();
    while (first > 0 && room >= size(older.get(first - 1))) {
      first--;
      room -= size(older.get(first));
    }
    return first;
  }

  private static long size(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private void readOne(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      problem(file, 0, "not a regular file; passed over");
      return;
    }
    try {
      FileScan.of(file, this);
    } catch (IOException e) {
      incomplete = true;
      problem(file, 0, "cannot be read: " + IoProblem.of(e, file).why());
    }
  }

  void event(ParsedLine.Known line, long bytes) {
    if (line.complete()) {
      restart();
    }
    group.add(new Line(line.event(), line.carried(), bytes));
    if (!line.more()) {
      group.forEach(this::add);
      group.clear();
    }
  }

  /** A complete snapshot follows. */
  private void restart() {
    events.clear();
    own.clear();
    ownBytes = 0;
    covered.clear();
  }

  /** The rest of the group was never written. */
  void dropGroup() {
    group.clear();
  }

  private void add(Line line) {
    if (isCovered(line) || !events.add(line.event()) || line.carried()) {
      return;
    }
    own.addLast(line);
    ownBytes += line.bytes();
    while (ownBytes > maxBytes) {
      Line oldest = own.removeFirst();
      ownBytes -= oldest.bytes();
      events.remove(oldest.event());
    }
  }

  /** Events that were queued during the snapshot are appended after it once more. */
  private boolean isCovered(Line line) {
    if (line.event() instanceof Event.Booted) {
      // The kernel counts from 0 again.
      covered.clear();
    }
    if (!(line.event() instanceof Event.KernelMessage message) || message.sequence().isEmpty()) {
      return false;
    }
    long sequence = message.sequence().getAsLong();
    String key = EventKind.of(line.event()).groupKey(line.event());
    if (line.carried()) {
      covered.merge(key, sequence, Math::max);
      return false;
    }
    Long to = covered.get(key);
    return to != null && to >= sequence;
  }

  void unknownKind() {
    unknownKinds++;
  }

  void malformed(Path file, long line, String why) {
    malformed++;
    problem(file, line, why);
  }

  void problem(Path file, long line, String what) {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new OpenResult.Problem(file, line, what));
    }
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  OpenResult result(EventLog log) {
    return new OpenResult(log, List.copyOf(events), incomplete, malformed, unknownKinds, problems);
  }
}
