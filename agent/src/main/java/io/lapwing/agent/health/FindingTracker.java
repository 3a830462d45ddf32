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
 * Opens a finding after {@link RuleSpec#openAfter} of detection, closes it after {@link
 * RuleSpec#closeAfter} of absence; it stays open while its rule has no data. Used by one thread.
 */
public final class FindingTracker {

  private static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing((Finding finding) -> finding.disposition().severity())
          .thenComparing(finding -> finding.disposition().action())
          .thenComparing(finding -> finding.disposition().urgency())
          .reversed()
          .thenComparing(Finding::since)
          .thenComparing(Finding::rule)
          .thenComparing(finding -> finding.subject().text());

  private final Map<String, RuleSpec> specs = new HashMap<>();
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  /** Open on a machine that this one has replaced; closed at the next update. */
  private final Set<Key> ofReplacedNode = new LinkedHashSet<>();

  private String instance = "";

  private record Key(String rule, String subject) {}

  private static final class Entry {
    Detection detection;
    Instant since;
    Instant presentSince;
    Instant last;
    boolean open;

    /** Restored from the log, and not detected again yet. */
    boolean restored;

    @Nullable Instant absentSince;

    /** A finding that was open when the agent stopped. */
    Entry(Finding finding) {
      this(finding.detection(), finding.since(), finding.last());
      this.open = true;
      this.restored = true;
    }

    Entry(Detection detection, Instant since, Instant now) {
      this.detection = detection;
      this.since = since;
      this.presentSince = now;
      this.last = now;
    }
  }

  /** Continues from earlier events, with the findings that were open. */
  public FindingTracker(List<RuleSpec> specs, List<Event> history) {
    specs.forEach(spec -> this.specs.put(spec.name(), spec));
    for (Event event : history) {
      if (event instanceof Event.FindingOpened opened) {
        Finding finding = Finding.restored(opened, this.specs.get(opened.rule()));
        entries.put(key(finding.detection()), new Entry(finding));
      } else if (event instanceof Event.FindingClosed closed) {
        Key key = new Key(closed.rule(), closed.subject());
        entries.remove(key);
        ofReplacedNode.remove(key);
      } else if (event instanceof Event.Booted booted) {
        booted(booted.instanceId());
      }
    }
  }

  /** A new instance ID on the same state directory is another machine, with other GPUs. */
  private void booted(String id) {
    if (!instance.isEmpty() && !id.isEmpty() && !id.equals(instance)) {
      ofReplacedNode.addAll(entries.keySet());
      entries.clear();
    }
    instance = id.isEmpty() ? instance : id;
  }

  /**
   * Applies one evaluation and returns what opened and closed. Findings of a subject without data
   * stay open.
   */
  public List<Event> update(Instant now, List<Detection> detections, Predicate<Subject> hasData) {
    return update(now, detections, (rule, subject) -> hasData.test(subject));
  }

  /** {@code hasData}: whether the rule of that name has data about a subject. */
  public List<Event> update(
      Instant now, List<Detection> detections, BiPredicate<String, Subject> hasData) {
    List<Event> changes = new ArrayList<>();
    ofReplacedNode.forEach(
        key ->
            changes.add(new Event.FindingClosed(now, key.rule(), key.subject(), "node replaced")));
    ofReplacedNode.clear();
    Map<Key, Detection> seen = new LinkedHashMap<>();
    detections.forEach(detection -> seen.merge(key(detection), detection, FindingTracker::worse));
    seen.forEach((key, detection) -> present(key, detection, now, changes));
    List<Key> missing = entries.keySet().stream().filter(key -> !seen.containsKey(key)).toList();
    missing.forEach(key -> absent(key, now, hasData, changes));
    return changes;
  }

  private static Key key(Detection detection) {
    return new Key(detection.rule(), detection.subject().text());
  }

  private static Detection worse(Detection one, Detection other) {
    return one.disposition().severity().compareTo(other.disposition().severity()) >= 0
        ? one
        : other;
  }

  private void present(Key key, Detection detection, Instant now, List<Event> changes) {
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(detection, detection.since().orElse(now), now);
      entries.put(key, entry);
    }
    if (entry.restored) {
      // An older version logged when it opened; the rule may know when it started.
      entry.since = notAhead(entry.since, detection.since().orElse(entry.since));
      entry.restored = false;
    }
    entry.detection = detection;
    entry.absentSince = null;
    entry.presentSince = notAhead(entry.presentSince, now);
    entry.last = detection.last().orElse(now);
    if (!entry.open
        && !now.isBefore(
            entry.presentSince.plus(spec(key).map(RuleSpec::openAfter).orElse(Duration.ZERO)))) {
      entry.open = true;
      changes.add(
          new Event.FindingOpened(
              now,
              entry.since,
              key.rule(),
              key.subject(),
              detection.disposition().severity().text(),
              detection.disposition().action().text(),
              detection.what()));
    }
  }

  private void absent(
      Key key, Instant now, BiPredicate<String, Subject> hasData, List<Event> changes) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return;
    }
    if (!entry.open) {
      entries.remove(key);
      return;
    }
    Optional<RuleSpec> spec = spec(key);
    // A state that cannot be read may persist; a rule that was removed has no data at all.
    if (spec.isPresent() && !hasData.test(key.rule(), entry.detection.subject())) {
      entry.absentSince = null;
      return;
    }
    entry.absentSince = entry.absentSince == null ? now : notAhead(entry.absentSince, now);
    Duration closeAfter = spec.map(RuleSpec::closeAfter).orElse(Duration.ZERO);
    if (!now.isBefore(entry.absentSince.plus(closeAfter))) {
      entries.remove(key);
      changes.add(new Event.FindingClosed(now, key.rule(), key.subject(), "gone"));
    }
  }

  /** After a clock was set back nothing waits for that time to pass again. */
  private static Instant notAhead(Instant moment, Instant now) {
    return moment.isAfter(now) ? now : moment;
  }

  private Optional<RuleSpec> spec(Key key) {
    return Optional.ofNullable(specs.get(key.rule()));
  }

  /** Closes findings; one that is still detected opens again with a new start. */
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

  public List<Finding> findings() {
    return entries.values().stream()
        .filter(entry -> entry.open)
        .map(FindingTracker::finding)
        .sorted(WORST_FIRST)
        .toList();
  }

  private static Finding finding(Entry entry) {
    return new Finding(entry.detection, entry.since, entry.last);
  }
}
