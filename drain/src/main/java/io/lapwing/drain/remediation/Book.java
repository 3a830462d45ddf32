package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.journal.Journal;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Move.Would;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** All open remediations, and facts about ended ones. */
final class Book {

  /** Longer than the period of any rate limit. */
  private static final Duration REMEMBERED = Duration.ofHours(2);

  private static final Duration DAY = Duration.ofDays(1);

  private final Journal journal;
  private final Map<NodeName, Remediation> open = new TreeMap<>();
  private final Set<NodeName> held = new HashSet<>();
  private final List<Taken> taken = new ArrayList<>();
  private final List<Taken> replaced = new ArrayList<>();
  private final List<Consumer<Remediation>> readers = new ArrayList<>();

  /** By remediation, the last decision of a dry run. */
  private final Map<String, String> would = new HashMap<>();

  /** The last remediation of each node that ended as taken over. */
  private final Map<NodeName, Remediation> takenOver = new HashMap<>();

  private Instant compacted = Instant.MIN;
  private Optional<String> uncompacted = Optional.empty();
  private long sequence;

  Book(Journal journal) {
    this.journal = journal;
  }

  /** Gets the state of each entry, also of those that are in the journal already. */
  void addReader(Consumer<Remediation> reader) {
    readers.add(reader);
  }

  /** Goes on where the journal ends. */
  void recover() {
    journal.forEach(this::recover);
  }

  /**
   * Copies the counts for rate limits of another book: the journal does not have refused commands.
   */
  void after(Book before) {
    taken.clear();
    taken.addAll(before.taken);
    replaced.clear();
    replaced.addAll(before.replaced);
  }

  private void recover(Entry entry) {
    Remediation state = entry.state();
    sequence = Math.max(sequence, number(state.id()));
    Remediation before = open.get(state.node());
    keep(entry);
    if (state.phase() == Phase.DRAINING) {
      // Also if it seems to be refused: an unclear one may be carried out late.
      taken(new Taken(state.node(), state.since()));
    }
    if (isReplacement(state)) {
      replaced(new Taken(state.node(), state.since()));
    }
    if (before != null && isReplacement(before) && !hasBegun(before, state)) {
      notReplaced(new Taken(before.node(), before.since()));
    }
  }

  private static boolean isReplacement(Remediation state) {
    return state.phase() == Phase.REPAIRING && state.remedy() == Remedy.REPLACE_NODE;
  }

  /** Whether the last repair may have begun, as the next state shows it. */
  private static boolean hasBegun(Remediation repair, Remediation next) {
    return next.attempts().size() >= repair.attempts().size()
        && next.lastAttempt()
            .flatMap(Attempt::outcome)
            .filter(Attempt.Outcome.REFUSED::equals)
            .isEmpty();
  }

  /** Once a day. That it fails harms nothing but the disk. */
  void compact(Instant now) {
    if (now.minus(DAY).isBefore(compacted)) {
      return;
    }
    compacted = now;
    try {
      journal.compact(now);
      uncompacted = Optional.empty();
    } catch (IOException e) {
      uncompacted = Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Why the journal could not be compacted; empty if it was. */
  Optional<String> uncompacted() {
    return uncompacted;
  }

  void write(Instant now, String what, Remediation state) throws IOException {
    write(new Entry(now, what, state, Optional.empty()));
  }

  void write(Entry entry) throws IOException {
    journal.append(entry);
    keep(entry);
  }

  /** Whether the last decision of a dry run was of that kind, so that the journal has it. */
  boolean hasWould(Remediation state, Would what) {
    return what.kind().equals(would.get(state.id()));
  }

  private void keep(Entry entry) {
    Remediation state = entry.state();
    Would.kind(entry.what()).ifPresent(kind -> would.put(state.id(), kind));
    if (state.phase().ended()) {
      open.remove(state.node());
      would.remove(state.id());
    } else {
      open.put(state.node(), state);
    }
    if (state.phase() == Phase.TAKEN_OVER) {
      takenOver.put(state.node(), state);
    } else if (state.rule().isEmpty()) {
      takenOver.remove(state.node()); // A person requests it again.
    }
    if (state.phase().countsAsHeld()) {
      held.add(state.node());
    } else {
      held.remove(state.node());
    }
    readers.forEach(reader -> reader.accept(state));
  }

  /** What need not be in the journal. */
  void observe(Remediation state) {
    open.replace(state.node(), state);
  }

  /** That a drain was commanded, and may have been carried out. */
  void taken(Taken one) {
    add(one, taken);
  }

  /** That a replacement was commanded, and may have begun. */
  void replaced(Taken one) {
    add(one, replaced);
  }

  /** That it did not begin after all. */
  void notReplaced(Taken one) {
    replaced.remove(one);
  }

  private static void add(Taken one, List<Taken> all) {
    all.removeIf(old -> old.equals(one) || old.at().isBefore(one.at().minus(REMEMBERED)));
    all.add(one);
  }

  /**
   * Why the controller ignores a request: its finding was open when a user took over the node, and
   * requires no more than was planned then.
   */
  Optional<String> theirs(Request request) {
    return Optional.ofNullable(takenOver.get(request.node()))
        .filter(any -> !request.rule().isEmpty())
        .filter(over -> !request.since().isAfter(over.since()))
        .filter(over -> request.remedy().compareTo(over.remedy()) <= 0)
        .map(over -> "another user took the node over at " + over.since() + ", with this finding");
  }

  /** Changes with the book. */
  Map<NodeName, Remediation> open() {
    return Collections.unmodifiableMap(open);
  }

  /** Nodes that are ours, or may be. */
  Set<NodeName> held() {
    return Collections.unmodifiableSet(held);
  }

  Collection<Taken> taken() {
    return Collections.unmodifiableList(taken);
  }

  Collection<Taken> replaced() {
    return Collections.unmodifiableList(replaced);
  }

  String nextId(Instant now) {
    sequence++;
    return now.getEpochSecond() + "-" + sequence;
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(id.lastIndexOf('-') + 1));
  }
}
