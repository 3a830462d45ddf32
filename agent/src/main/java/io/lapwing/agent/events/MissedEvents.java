package io.lapwing.agent.events;

import io.lapwing.agent.events.Event.KernelMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Compares what another agent recorded in the directory, while this one could not write to it, with
 * this agent's history. Both read the same kernel log and the same GPUs, so that most of it is in
 * both.
 */
final class MissedEvents {

  /** What is read once a minute is detected by two agents so far apart. */
  private static final Duration SAME = Duration.ofSeconds(75);

  /** Messages of a log file and XIDs of NVML alone, which come at once. */
  private static final Duration SAME_MESSAGE = Duration.ofSeconds(10);

  /** Of operators, whose requests only the agent that has the directory reads. */
  private static final Set<EventKind> OPERATORS =
      EnumSet.of(
          EventKind.OPERATOR_CLEARED,
          EventKind.MAINTENANCE_STARTED,
          EventKind.MAINTENANCE_ENDED,
          EventKind.GPUS_RELEASED,
          EventKind.GPUS_REOPENED,
          EventKind.TEST_FINDING,
          EventKind.TEST_FINDING_ENDED);

  private final Set<Event> ofOperators = new HashSet<>();

  private final Map<Group, List<Instant>> times = new HashMap<>();

  /** Of this boot: the last sequence of each group, the times of which depend on the reader. */
  private final Map<Group, Long> sequences = new HashMap<>();

  /** XIDs that only NVML reported to this agent, by GPU and number. */
  private final Map<String, List<Instant>> withoutMessage = new HashMap<>();

  private String boot = "";

  private record Group(EventKind kind, String key) {
    static Group of(Event event) {
      EventKind kind = EventKind.of(event);
      return new Group(kind, kind.groupKey(event));
    }
  }

  private MissedEvents(List<Event> history) {
    for (Event event : history) {
      if (event instanceof Event.Booted booted) {
        boot = booted.bootId();
        sequences.clear();
      }
      if (OPERATORS.contains(EventKind.of(event))) {
        ofOperators.add(event);
      }
      if (event instanceof Event.Xid xid && !xid.origins().contains(Event.Origin.KERNEL)) {
        withoutMessage
            .computeIfAbsent(gpuAndNumber(xid), unseen -> new ArrayList<>())
            .add(xid.at());
      }
      sequence(event).ifPresent(last -> sequences.merge(Group.of(event), last, Math::max));
      times.computeIfAbsent(Group.of(event), group -> new ArrayList<>()).add(event.at());
    }
  }

  /** Those recorded events that the history has not, in the same or a similar form. */
  static List<Event> of(List<Event> recorded, List<Event> history) {
    MissedEvents known = new MissedEvents(history);
    boolean otherBoot = recorded.stream().anyMatch(Event.Booted.class::isInstance);
    List<Event> missed = new ArrayList<>();
    for (Event event : recorded) {
      boolean isThisBoot = event instanceof Event.Booted to && to.bootId().equals(known.boot);
      otherBoot &= !isThisBoot;
      if (!isThisBoot && !known.has(event, otherBoot)) {
        missed.add(
            event instanceof Event.Xid xid && known.takeWithoutMessage(xid)
                ? xid.described()
                : event);
      }
    }
    return missed;
  }

  private static String gpuAndNumber(Event.Xid xid) {
    return xid.gpu() + ' ' + xid.number();
  }

  /** Whether NVML alone reported it to this agent; each such report stands for one message. */
  private boolean takeWithoutMessage(Event.Xid xid) {
    List<Instant> reported = withoutMessage.getOrDefault(gpuAndNumber(xid), new ArrayList<>());
    return reported.stream()
        .filter(at -> isNear(List.of(at), xid, SAME_MESSAGE))
        .findFirst()
        .map(reported::remove)
        .orElse(false);
  }

  private static boolean isNear(List<Instant> times, Event event, Duration apart) {
    return times.stream()
        .anyMatch(at -> Duration.between(at, event.at()).abs().compareTo(apart) <= 0);
  }

  private static OptionalLong sequence(Event event) {
    return event instanceof KernelMessage message ? message.sequence() : OptionalLong.empty();
  }

  private boolean has(Event event, boolean ofOtherBoot) {
    if (OPERATORS.contains(EventKind.of(event))) {
      return ofOperators.contains(event);
    }
    OptionalLong sequence = sequence(event);
    if (sequence.isPresent()) {
      return !ofOtherBoot
          && sequences.getOrDefault(Group.of(event), Long.MIN_VALUE) >= sequence.getAsLong();
    }
    Duration apart = event instanceof KernelMessage ? SAME_MESSAGE : SAME;
    return isNear(times.getOrDefault(Group.of(event), List.of()), event, apart);
  }

  /** The history with those that it has not, each after the last one that is not later. */
  static List<Event> merged(List<Event> history, List<Event> missed) {
    List<Event> all = new ArrayList<>(history);
    Set<Event> known = new HashSet<>(missed.isEmpty() ? List.of() : history);
    for (Event one : missed) {
      if (known.add(one)) {
        int at = all.size();
        while (at > 0 && all.get(at - 1).at().isAfter(one.at())) {
          at--;
        }
        all.add(at, one);
      }
    }
    return all;
  }
}
