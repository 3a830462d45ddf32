package io.lapwing.agent.events;

import io.lapwing.agent.events.Durability.Durable;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that appends as fast as it can, and prints the number of each batch once it is told to
 * be on the disk.
 */
public final class EventBurst {
  static final int BATCH = 3;

  /** New files are begun all the time, and nothing is ever deleted. */
  static final Limits LIMITS =
      new Limits(256 << 20, ScratchDirectory.WIDE.maxAge(), 2_000, 256 << 20);

  private EventBurst() {}

  /** Directory, number of the first batch. */
  public static void main(String[] args) {
    List<Event> matter = new ArrayList<>();
    EventLog log =
        EventLog.open(Path.of(args[0]), LIMITS, InstantSource.system(), () -> List.copyOf(matter))
            .log();
    for (int batch = Integer.parseInt(args[1]); ; batch++) {
      List<Event> events = NumberedEvents.range(batch * BATCH, (batch + 1) * BATCH);
      if (!(log.append(events) instanceof Durable)) {
        throw new IllegalStateException("not durable: " + log.durability());
      }
      System.out.println(batch);
      System.out.flush();
      if (batch % 5 == 0) {
        matter.add(events.get(1));
      }
    }
  }
}
