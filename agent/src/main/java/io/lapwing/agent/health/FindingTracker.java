package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The findings, kept over time: a symptom counts once it held, a finding goes once its symptom was
 * gone for a while, and its beginning stands still in between. What nobody can look at does not get
 * better by that. Used by one thread.
 */
public final class FindingTracker {

  private static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing((Finding finding) -> finding.call().severity())
          .thenComparing(finding -> finding.call().action())
          .thenComparing(finding -> finding.call().urgency())
          .reversed()
          .thenComparing(Finding::since)
          .thenComparing(Finding::rule)
          .thenComparing(finding -> finding.subject().text());

  private final Map<String, RuleSpec> specs = new HashMap<>();
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  /** Open on a machine that this one has replaced, and not yet told to be closed. */
  private final Set<Key> ofAnotherMachine = new LinkedHashSet<>();

  private String instance = "";

  private record Key(String rule, String subject) {}

  private static final class Entry {
    Detection symptom;
    Instant since;
    Instant heldSince;
    Instant last;
    boolean open;

    /** Whether only the log tells of it so far. */
    boolean remembered;

    @Nullable Instant absentSince;

    /** One that was open when the agent was last stopped. */
    Entry(Finding finding) {
      this(finding.symptom(), finding.since(), finding.last());
      this.open = true;
      this.remembered = true;
    }

    Entry(Detection symptom, Instant since, Instant now) {
      this.symptom = symptom;
      this.since = since;
      this.heldSince = now;
      this.last = now;
    }
  }

  /**
   * An empty book.
   *
   * @param specs of all rules
   * @param history from before: what was open then keeps its beginning
   */
  public FindingTracker(List<RuleSpec> specs, List<Event> history) {
    specs.forEach(spec -> this.specs.put(spec.name(), spec));
    for (Event event : history) {
      if (event instanceof Event.FindingOpened opened) {
        Finding finding = FindingRestorer.finding(opened, this.specs.get(opened.rule()));
        entries.put(key(finding.symptom()), new Entry(finding));
      } else if (event instanceof Event.FindingClosed closed) {
        Key key = new Key(closed.rule(), closed.subject());
        entries.remove(key);
        ofAnotherMachine.remove(key);
      } else if (event instanceof Event.Booted booted) {
        booted(booted.instanceId());
      }
    }
  }

  /** Another instance under the same state directory is another machine, with other GPUs. */
  private void booted(String id) {
    if (!instance.isEmpty() && !id.isEmpty() && !id.equals(instance)) {
      ofAnotherMachine.addAll(entries.keySet());
      entries.clear();
    }
    instance = id.isEmpty() ? instance : id;
  }

  /**
   * Writes down what the rules see now.
   *
   * @param visible whether a subject can be looked at now; a finding of one that cannot stays
   * @return what opened and closed
   */
  public List<Event> update(Instant now, List<Detection> symptoms, Predicate<Subject> visible) {
    return update(now, symptoms, (rule, subject) -> visible.test(subject));
  }

  /**
   * The same.
   *
   * @param visible whether a rule, by its name, can look at a subject now
   */
  public List<Event> update(
      Instant now, List<Detection> symptoms, BiPredicate<String, Subject> visible) {
    List<Event> changes = new ArrayList<>();
    ofAnotherMachine.forEach(
        key ->
            changes.add(new Event.FindingClosed(now, key.rule(), key.subject(), "node replaced")));
    ofAnotherMachine.clear();
    Map<Key, Detection> seen = new LinkedHashMap<>();
    symptoms.forEach(symptom -> seen.merge(key(symptom), symptom, FindingTracker::worse));
    seen.forEach((key, symptom) -> see(key, symptom, now, changes));
    List<Key> absent = entries.keySet().stream().filter(key -> !seen.containsKey(key)).toList();
    absent.forEach(key -> miss(key, now, visible, changes));
    return changes;
  }

  private static Key key(Detection symptom) {
    return new Key(symptom.rule(), symptom.subject().text());
  }

  private static Detection worse(Detection one, Detection other) {
    return one.call().severity().compareTo(other.call().severity()) >= 0 ? one : other;
  }

  private void see(Key key, Detection symptom, Instant now, List<Event> changes) {
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(symptom, symptom.since().orElse(now), now);
      entries.put(key, entry);
    }
    if (entry.remembered) {
      // A log of an older version tells when it was found; the rule may know when it began.
      entry.since = notAhead(entry.since, symptom.since().orElse(entry.since));
      entry.remembered = false;
    }
    entry.symptom = symptom;
    entry.absentSince = null;
    entry.heldSince = notAhead(entry.heldSince, now);
    entry.last = symptom.last().orElse(now);
    if (!entry.open
        && !now.isBefore(
            entry.heldSince.plus(spec(key).map(RuleSpec::hold).orElse(Duration.ZERO)))) {
      entry.open = true;
      changes.add(
          new Event.FindingOpened(
              now,
              entry.since,
              key.rule(),
              key.subject(),
              symptom.call().severity().text(),
              symptom.call().action().text(),
              symptom.what()));
    }
  }

  private void miss(
      Key key, Instant now, BiPredicate<String, Subject> visible, List<Event> changes) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return;
    }
    if (!entry.open) {
      entries.remove(key);
      return;
    }
    Optional<RuleSpec> spec = spec(key);
    // Of events a rule knows all there is to know; a state that cannot be seen may still be so.
    if (spec.isPresent() && !visible.test(key.rule(), entry.symptom.subject())) {
      entry.absentSince = null;
      return;
    }
    entry.absentSince = entry.absentSince == null ? now : notAhead(entry.absentSince, now);
    Duration release = spec.map(RuleSpec::release).orElse(Duration.ZERO);
    if (!now.isBefore(entry.absentSince.plus(release))) {
      entries.remove(key);
      changes.add(new Event.FindingClosed(now, key.rule(), key.subject(), "gone"));
    }
  }

  /** A clock that was set back must not make anything wait for the time that it was set back by. */
  private static Instant notAhead(Instant moment, Instant now) {
    return moment.isAfter(now) ? now : moment;
  }

  private Optional<RuleSpec> spec(Key key) {
    return Optional.ofNullable(specs.get(key.rule()));
  }

  /** Takes findings off the book; those whose symptom is still there begin anew. */
  public List<Event> clear(Instant now, Predicate<Finding> which, String why) {
    List<Event> changes = new ArrayList<>();
    for (Map.Entry<Key, Entry> one : List.copyOf(entries.entrySet())) {
      if (one.getValue().open && which.test(finding(one.getValue()))) {
        entries.remove(one.getKey());
        changes.add(new Event.FindingClosed(now, one.getKey().rule(), one.getKey().subject(), why));
      }
    }
    return changes;
  }

  /** What is open, worst first. */
  public List<Finding> findings() {
    return entries.values().stream()
        .filter(entry -> entry.open)
        .map(FindingTracker::finding)
        .sorted(WORST_FIRST)
        .toList();
  }

  private static Finding finding(Entry entry) {
    return new Finding(entry.symptom, entry.since, entry.last);
  }
}
