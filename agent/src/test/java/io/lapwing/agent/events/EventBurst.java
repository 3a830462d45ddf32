package io.lapwing.agent.events;

import io.lapwing.agent.events.Durability.Durable;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * A process that appends as fast as it can, and prints the number of each batch once it is
 * acknowledged as durable.
 */
public final class EventBurst {
  static final int BATCH = 3;

  /** New files are begun all the time, and nothing is ever deleted. */
  static final Limits LIMITS =
      new Limits(256 << 20, ScratchDirectory.WIDE.maxAge(), 2_000, 256 << 20);

  private EventBurst() {}

  /** Directory, number of the first batch. */
  public static void main(String[] args) {
    HistoryLog log = HistoryLog.open(Path.of(args[0]), LIMITS, InstantSource.system());
    for (int batch = Integer.parseInt(args[1]); ; batch++) {
      List<Event> events = NumberedEvents.range(batch * BATCH, (batch + 1) * BATCH);
      if (!(log.append(events) instanceof Durable)) {
        throw new IllegalStateException("not durable: " + log.log().durability());
      }
      System.out.println(batch);
      System.out.flush();
    }
  }
}
