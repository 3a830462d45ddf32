package io.lapwing.agent.events;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.agent.events.EventJson.ParsedLine;
import io.lapwing.fuzz.Scratch;
import io.lapwing.fuzz.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** The events that an agent before this one wrote, and what a disk made of them. */
public final class EventTargets {

  private static final Instant AT = Instant.parse("2026-11-20T11:20:00.123456Z");
  private static final Limits WIDE =
      new Limits(64 << 20, Duration.ofDays(36_500), 16 << 20, 64 << 20);

  private EventTargets() {}

  public static List<Target> all() {
    String lines =
        """
        {"at":"2026-11-20T11:20:00Z","kind":"started","version":"0.1.0"}
        {"at":"2026-11-20T11:21:00Z","kind":"driver_loaded","version":"570.133.20"}
        """;
    return List.of(
        Target.ofBytes("event-line", EventTargets::line)
            .seeds(
                lines.split("\n", 2)[0],
                "{\"at\":\"2026-11-20T11:20:00.123456Z\",\"kind\":\"xid\",\"uuid\":\"GPU-5\","
                    + "\"pci\":\"0000:53:00.0\",\"xid\":94,\"pid\":7194,\"process\":\"python3\","
                    + "\"message\":\"NVRM\",\"sources\":[\"kernel\"],\"count\":1}"),
        Target.ofBytes("event-log", EventTargets::log).seeds(lines, lines + "{\"at\":\"2026"));
  }

  /** Writing shortens long texts; what was written once stays as it is. */
  private static void line(byte[] input) {
    if (EventJson.read(input, 0, input.length) instanceof ParsedLine.Known known) {
      Event written = rewritten(known.event());
      demand(written.at().equals(known.event().at()), "another time");
      demand(written.getClass() == known.event().getClass(), "another kind");
      demand(rewritten(written).equals(written), "an event that is not read back");
    }
  }

  private static Event rewritten(Event event) {
    byte[] line = EventJson.lines(List.of(event));
    if (EventJson.read(line, 0, line.length) instanceof ParsedLine.Known known) {
      return known.event();
    }
    throw new AssertionError("what was written is not read: " + event);
  }

  /**
   * OpenResult, written to, and opened once more: what was read once is not lost by what follows.
   */
  private static void log(byte[] input) throws IOException {
    Path folder = Scratch.folder("events");
    Files.write(folder.resolve("events.jsonl"), input);
    OpenResult first = open(folder);
    first.log().append(List.of(new Event.Started(AT, "0.2.0")));
    first.log().close();
    OpenResult then = open(folder);
    then.log().close();
    demand(then.events().containsAll(first.events()), "an event was lost");
    demand(then.events().contains(new Event.Started(AT, "0.2.0")), "the new one was lost");
  }

  private static OpenResult open(Path folder) {
    return EventLog.open(folder, WIDE, InstantSource.fixed(AT), List::of);
  }
}
