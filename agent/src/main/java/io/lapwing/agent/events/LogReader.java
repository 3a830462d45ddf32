package io.lapwing.agent.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The events of the files, oldest first, each once, and what was found to be wrong with them. */
final class LogReader {
  private static final int MOST_PROBLEMS = 100;

  private final long mostBytes;
  private boolean readsCurrent;
  private final List<Event> carried = new ArrayList<>();
  private final Deque<Line> recent = new ArrayDeque<>();
  private final SeenEvents seen = new SeenEvents();

  /** Of what was appended together, as far as it was read. */
  private final List<Line> open = new ArrayList<>();

  /** Up to where faults that are alike were brought over, also drawn together. */
  private final Map<String, Long> covered = new HashMap<>();

  private final List<LogProblem> problems = new ArrayList<>();
  private long recentBytes;
  private long malformed;
  private long unknownKinds;

  private record Line(Event event, boolean carried, long bytes) {}

  /**
   * An empty one.
   *
   * @param mostBytes lines whose events are kept, beside those that were carried over
   */
  LogReader(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Reads the older files, the newest as far as they fit. No part of one is left out: what is at
   * the head of the next would come in the wrong order then. None is needed where all that mattered
   * was brought over.
   */
  void readOlder(LogFiles files) {
    try {
      if (FileScan.beginsComplete(files.current())) {
        return;
      }
      List<Path> older = files.older();
      for (Path file : older.subList(firstThatFits(older, files.current()), older.size())) {
        readOne(file);
      }
    } catch (IOException e) {
      problem(files.directory(), 0, "cannot be listed: " + IoProblem.of(e, files.directory()).why());
    }
  }

  private int firstThatFits(List<Path> older, Path current) throws IOException {
    long room = mostBytes - size(current);
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
    try {
      FileScan.of(file, this);
    } catch (IOException e) {
      problem(file, 0, "cannot be read: " + IoProblem.of(e, file).why());
    }
  }

  /** Reads the file that is written to: the last one. */
  FileScan readCurrent(LogFiles files) throws IOException {
    readsCurrent = true;
    return FileScan.of(files.current(), this);
  }

  /** Reads all files of a log that another agent writes, or that cannot be written. */
  void readAll(LogFiles files) {
    readOlder(files);
    readsCurrent = true;
    readOne(files.current());
  }

  void event(ParsedLine.Known line, long bytes) {
    if (line.complete()) {
      beginAnew();
    }
    open.add(new Line(line.event(), line.carried(), bytes));
    if (!line.more()) {
      open.forEach(this::add);
      open.clear();
    }
  }

  /** What was read before is all in what follows, maybe drawn together. */
  private void beginAnew() {
    carried.clear();
    recent.clear();
    seen.clear();
    covered.clear();
    recentBytes = 0;
  }

  void forgetOpen() {
    open.clear();
  }

  private void add(Line line) {
    if (isCovered(line) || !seen.add(line.event())) {
      return;
    }
    recent.addLast(line);
    recentBytes += line.bytes();
    while (readsCurrent && !line.carried() && recentBytes > mostBytes) {
      forget(recent.removeFirst());
    }
  }

  /** What waited for the disk while a file was begun is written behind what was brought over. */
  private boolean isCovered(Line line) {
    if (line.event() instanceof Event.Booted) {
      covered.clear();
    }
    OptionalLong sequence = Alike.sequence(line.event());
    if (sequence.isEmpty()) {
      return false;
    }
    String alike = Alike.of(line.event());
    if (line.carried()) {
      covered.merge(alike, sequence.getAsLong(), Math::max);
      return false;
    }
    Long to = covered.get(alike);
    return to != null && to >= sequence.getAsLong();
  }

  private void forget(Line line) {
    recentBytes -= line.bytes();
    if (line.carried()) {
      carried.add(line.event());
    } else {
      seen.remove(line.event());
    }
  }

  void unknownKind() {
    unknownKinds++;
  }

  void malformed(Path file, long line, String why) {
    malformed++;
    problem(file, line, why);
  }

  void problem(Path file, long line, String what) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new LogProblem(file, line, what));
    }
  }

  OpenResult result(EventLog log) {
    List<Event> events = new ArrayList<>(carried);
    recent.forEach(line -> events.add(line.event()));
    return new OpenResult(log, events, malformed, unknownKinds, problems);
  }
}
