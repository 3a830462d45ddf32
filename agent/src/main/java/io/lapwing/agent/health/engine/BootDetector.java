package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.History;
import io.lapwing.collect.Reading;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SmallFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Detects a boot by {@code sys/kernel/random/boot_id}, and dates it by {@code btime} of {@code
 * stat}.
 */
final class BootDetector {

  private final Path procfs;

  BootDetector(Path procfs) {
    this.procfs = procfs;
  }

  public List<Event> startEvents(
      List<Event> history, Instant now, String version, String instanceId) {
    List<Event> events = new ArrayList<>();
    String boot = bootId();
    if (!boot.isEmpty() && !boot.equals(lastBoot(history).map(Event.Booted::bootId).orElse(""))) {
      events.add(new Event.Booted(bootedAt().orElse(now), boot, instanceId));
    }
    events.add(new Event.Started(now, version));
    return events;
  }

  /** The last sequence of this boot's kernel log that was read; empty where none was. */
  public static OptionalLong readBefore(List<Event> history) {
    OptionalLong sequence = OptionalLong.empty();
    for (Event event : history) {
      if (event instanceof Event.Booted) {
        sequence = OptionalLong.empty();
      } else {
        sequence = later(sequence, sequence(event));
      }
    }
    return sequence;
  }

  private static OptionalLong sequence(Event event) {
    if (event instanceof Event.KernelMessage message) {
      return message.sequence();
    }
    return event instanceof Event.KernelLogRead read
        ? OptionalLong.of(read.sequence())
        : OptionalLong.empty();
  }

  private static OptionalLong later(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
  }

  private static Optional<Event.Booted> lastBoot(List<Event> history) {
    return new History(history).last(Event.Booted.class, boot -> true);
  }

  /** The events of the last boot that is known. */
  public static List<Event> sinceBoot(List<Event> history) {
    for (int i = history.size() - 1; i >= 0; i--) {
      if (history.get(i) instanceof Event.Booted) {
        return history.subList(i, history.size());
      }
    }
    return history;
  }

  /** Those of these events that are after the last boot in the history, which has them all. */
  static List<Event> ofThisBoot(List<Event> some, List<Event> history) {
    return some.isEmpty()
        ? List.of()
        : sinceBoot(history).stream()
            .filter(event -> !(event instanceof Event.Booted))
            .filter(Set.copyOf(some)::contains)
            .toList();
  }

  private String bootId() {
    Reading<String> id = SmallFile.text(procfs.resolve("sys/kernel/random/boot_id"));
    return id.toOptional().orElse("");
  }

  /** When the machine was booted; empty where {@code stat} is unreadable. */
  public Optional<Instant> bootedAt() {
    return new ProcFs(procfs).bootSecond().toOptional();
  }
}
