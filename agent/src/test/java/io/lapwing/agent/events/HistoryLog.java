package io.lapwing.agent.events;

import io.lapwing.agent.events.Storage.DiskStorage;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** An event log together with its history, as the agent opens them. */
final class HistoryLog implements AutoCloseable {

  private final OpenResult opened;
  private final EventHistory history;

  private HistoryLog(
      Path dir, Limits limits, Limits ofHistory, InstantSource clock, Storage storage) {
    this.opened = EventLog.open(dir, limits, clock, () -> history().events(), storage);
    this.history = new EventHistory(opened.events(), ofHistory, opened.log()::append, event -> {});
  }

  /** With a history that keeps all events of a test, however small the files are. */
  static HistoryLog open(Path dir, Limits limits, InstantSource clock, Storage storage) {
    return new HistoryLog(dir, limits, Limits.DEFAULT, clock, storage);
  }

  /** With a history that is compacted to what fits into a file. */
  static HistoryLog compacted(Path dir, Limits limits, InstantSource clock, Storage storage) {
    return new HistoryLog(dir, limits, limits, clock, storage);
  }

  static HistoryLog open(Path dir, Limits limits, InstantSource clock) {
    return open(dir, limits, clock, DiskStorage.INSTANCE);
  }

  /** What the agent finds at a start; it is closed again. */
  static OpenResult read(Path dir, Limits limits, InstantSource clock) {
    try (HistoryLog log = open(dir, limits, clock)) {
      return log.opened;
    }
  }

  private EventHistory history() {
    return history;
  }

  OpenResult opened() {
    return opened;
  }

  EventLog log() {
    return opened.log();
  }

  /** The history now. */
  List<Event> events() {
    return history.events();
  }

  Durability append(List<Event> events) {
    history.add(events);
    return log().durability();
  }

  Durability retry() {
    return log().retry();
  }

  List<Event> restoreMissed() {
    List<Event> missed = new ArrayList<>();
    log().restoreMissed(events -> missed.addAll(history.insert(events)));
    return missed;
  }

  @Override
  public void close() {
    log().close();
  }
}
