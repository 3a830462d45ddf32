package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import io.lapwing.metric.NaturalOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Opens a finding after {@link RuleSpec#openAfter} of detection, closes it after {@link
 * RuleSpec#closeAfter} of absence; it stays open while its rule has no data. These times run only
 * while the agent runs, by the monotonic clock: neither a step of the clock nor a pause of the
 * machine opens or closes a finding. Used by one thread.
 */
public final class FindingTracker {

  private static final Comparator<Finding> WORST_FIRST =
      Comparator.comparing((Finding finding) -> finding.disposition().severity())
          .thenComparing(finding -> finding.disposition().action())
          .thenComparing(finding -> finding.disposition().urgency())
          .reversed()
          .thenComparing(Finding::since)
          .thenComparing(Finding::rule)
          .thenComparing(finding -> finding.subject().text(), NaturalOrder.OF_NAMES);

  private final Map<String, RuleSpec> specs = new HashMap<>();
  private final Map<Key, Entry> entries = new LinkedHashMap<>();

  /** Ended by the last boot, with the reason; closed at the next update. */
  private final Map<Key, String> ended = new LinkedHashMap<>();

  private final MachineChanges machines = new MachineChanges();
  private boolean updated;

  private record Key(String rule, String subject) {}

  private static final class Entry {
    Detection detection;
    Instant since;
    Instant last;
    boolean open;

    /** Detected since the first evaluation: it may have begun long before. */
    boolean sinceStart;

    /** When it was first detected, in the time that the agent ran. */
    Duration presentSince;

    /** Restored from the log, and not detected again yet. */
    boolean restored;

    /** The grace is over, or it has lasted since before the last boot. */
    boolean lasting;

    /** The worst that the event log has. */
    Disposition recorded;

    @Nullable Duration absentSince;

    /** A finding that was open when the agent stopped. */
    Entry(Finding finding) {
      this(finding.detection(), finding.since(), finding.last(), Duration.ZERO);
      this.open = true;
      this.restored = true;
    }

    Entry(Detection detection, Instant since, Instant now, Duration ran) {
      this.detection = detection;
      this.recorded = detection.disposition();
      this.since = since;
      this.presentSince = ran;
      this.last = now;
    }
  }

  /** Continues from earlier events, with the findings that were open. */
  public FindingTracker(List<RuleSpec> specs, List<Event> history) {
    for (RuleSpec spec : specs) {
      this.specs.put(spec.name(), spec);
      spec.findings().forEach(name -> this.specs.put(name, spec));
    }
    for (Event event : history) {
      if (machines.isChange(event)) {
        end(entry -> true, "node replaced");
      } else if (event instanceof Event.FindingOpened opened) {
        Finding finding = Finding.restored(opened, this.specs.get(opened.rule()));
        entries.put(key(finding.detection()), new Entry(finding));
      } else if (event instanceof Event.FindingEscalated escalated) {
        escalate(entries.get(new Key(escalated.rule(), escalated.subject())), escalated);
      } else if (event instanceof Event.FindingClosed closed) {
        Key key = new Key(closed.rule(), closed.subject());
        entries.remove(key);
        ended.remove(key);
      } else if (event instanceof Event.Booted) {
        entries.values().forEach(entry -> entry.lasting = true);
        end(entry -> isEndedByBoot(entry.detection.disposition().action()), "machine booted");
      }
    }
  }

  private static void escalate(@Nullable Entry entry, Event.FindingEscalated escalated) {
    if (entry != null) {
      entry.recorded = Finding.disposition(escalated.severity(), escalated.action());
      entry.detection = entry.detection.withDisposition(entry.recorded, entry.detection.why());
      entry.lasting = true;
      entry.last = escalated.at();
    }
  }

  /** A boot includes a reset and the end of all applications. */
  private static boolean isEndedByBoot(Action action) {
    return action == Action.RESTART_APP
        || action == Action.RESTART_SERVICE
        || action == Action.RESET_GPU
        || action == Action.REBOOT_NODE;
  }

  private void end(Predicate<Entry> which, String why) {
    for (Map.Entry<Key, Entry> one : List.copyOf(entries.entrySet())) {
      if (which.test(one.getValue())) {
        entries.remove(one.getKey());
        ended.put(one.getKey(), why);
      }
    }
  }

  /** Whether a rule has data about the subject of a finding that was detected last at that time. */
  public interface DataCheck {
    boolean test(String rule, Subject subject, Instant detected);
  }

  /**
   * Applies one evaluation and returns what opened and closed. Findings of a subject without data
   * stay open.
   *
   * @param ran how long the agent has run, without pauses; never decreases
   */
  public List<Event> update(
      Instant now, Duration ran, List<Detection> detections, DataCheck hasData) {
    List<Event> changes = new ArrayList<>();
    ended.forEach(
        (key, why) -> changes.add(new Event.FindingClosed(now, key.rule(), key.subject(), why)));
    ended.clear();
    Map<Key, Detection> seen = new LinkedHashMap<>();
    detections.forEach(detection -> seen.merge(key(detection), detection, FindingTracker::worse));
    seen.forEach((key, detection) -> present(key, detection, now, ran, changes));
    List<Key> missing = entries.keySet().stream().filter(key -> !seen.containsKey(key)).toList();
    missing.forEach(key -> absent(key, now, ran, hasData, changes));
    updated = true;
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

  private void present(
      Key key, Detection detection, Instant now, Duration ran, List<Event> changes) {
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(detection, detection.since().orElse(now), now, ran);
      entry.sinceStart = !updated;
      entries.put(key, entry);
    }
    if (entry.restored) {
      // An older version logged when it opened; the rule may know when it started.
      entry.since = notAhead(entry.since, detection.since().orElse(entry.since));
      entry.restored = false;
      entry.presentSince = ran;
    }
    Duration age = ran.minus(entry.presentSince);
    entry.lasting |= detection.grace().filter(grace -> grace.isOver(age)).isPresent();
    Detection aged = entry.lasting ? detection.withoutGrace() : detection.agedBy(age);
    entry.detection = aged;
    entry.absentSince = null;
    entry.last = detection.last().orElse(now);
    if (!entry.open
        && age.compareTo(spec(key).map(RuleSpec::openAfter).orElse(Duration.ZERO)) >= 0) {
      entry.open = true;
      changes.add(
          new Event.FindingOpened(
              now,
              entry.since,
              key.rule(),
              key.subject(),
              aged.disposition().severity().text(),
              aged.disposition().action().text(),
              detection.what()));
      entry.recorded = aged.disposition();
    } else if (entry.open && isWorse(aged.disposition(), entry.recorded)) {
      entry.recorded = entry.recorded.atLeast(aged.disposition());
      changes.add(
          new Event.FindingEscalated(
              now,
              key.rule(),
              key.subject(),
              entry.recorded.severity().text(),
              entry.recorded.action().text()));
    }
  }

  private static boolean isWorse(Disposition now, Disposition recorded) {
    return now.severity().compareTo(recorded.severity()) > 0
        || now.action().compareTo(recorded.action()) > 0;
  }

  private void absent(Key key, Instant now, Duration ran, DataCheck hasData, List<Event> changes) {
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
    if (spec.isPresent() && !hasData.test(key.rule(), entry.detection.subject(), entry.last)) {
      entry.absentSince = null;
      return;
    }
    entry.absentSince = entry.absentSince == null ? ran : entry.absentSince;
    Duration closeAfter = spec.map(RuleSpec::closeAfter).orElse(Duration.ZERO);
    if (ran.minus(entry.absentSince).compareTo(closeAfter) >= 0) {
      entries.remove(key);
      changes.add(new Event.FindingClosed(now, key.rule(), key.subject(), "gone"));
    }
  }

  /** After a clock was set back no finding starts in the future. */
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

  /** Whether no finding is about to open or close. */
  public boolean isSteady() {
    return entries.values().stream().allMatch(entry -> entry.open && entry.absentSince == null);
  }

  public List<Finding> findings() {
    return entries.values().stream()
        .filter(entry -> entry.open)
        .map(FindingTracker::finding)
        .sorted(WORST_FIRST)
        .toList();
  }

  /**
   * The findings, and as unknown what was detected since the first evaluation, is not confirmed yet
   * and would be more than degraded: until it is, nothing shows that the node is healthy.
   */
  public List<Finding> withUnconfirmed() {
    if (entries.values().stream().noneMatch(FindingTracker::isUnconfirmed)) {
      return findings();
    }
    return Stream.concat(
            findings().stream(),
            entries.values().stream()
                .filter(FindingTracker::isUnconfirmed)
                .map(entry -> new Finding(entry.detection.unconfirmed(), entry.since, entry.last)))
        .sorted(WORST_FIRST)
        .toList();
  }

  private static boolean isUnconfirmed(Entry entry) {
    return entry.sinceStart
        && !entry.open
        && entry.detection.disposition().severity().compareTo(Severity.DEGRADED) > 0;
  }

  private static Finding finding(Entry entry) {
    return new Finding(entry.detection, entry.since, entry.last);
  }
}
