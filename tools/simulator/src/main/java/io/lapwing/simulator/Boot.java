package io.lapwing.simulator;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;

/**
 * One boot of a simulated machine.
 *
 * @param at a whole second, because {@code btime} of /proc/stat has no fraction
 * @param id content of /proc/sys/kernel/random/boot_id
 * @param number number of earlier boots of this node
 * @param machine number of machines that this node replaced
 */
record Boot(Instant at, String id, int number, int machine) {
  private static final Duration FIRST_UPTIME = Duration.ofDays(1);

  /** The boot of a new node, a day ago. */
  static Boot first(Instant now) {
    return new Boot(dayBefore(now), id(0, now), 0, 0);
  }

  /** The same boot after the node's clock was set. */
  Boot movedTo(Instant now) {
    return new Boot(dayBefore(now), id(number, now), number, machine);
  }

  /** A boot at the next whole second, so that earlier events do not appear later than it. */
  Boot next(Instant now, boolean anotherMachine) {
    Instant second = now.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    return new Boot(second, id(number + 1, now), number + 1, machine + (anotherMachine ? 1 : 0));
  }

  private static Instant dayBefore(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).minus(FIRST_UPTIME);
  }

  private static String id(int number, Instant moment) {
    byte[] seed = ("boot " + number + " at " + moment).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(seed).toString();
  }

  Duration uptime(Instant now) {
    Duration up = Duration.between(at, now);
    return up.isNegative() ? Duration.ZERO : up;
  }

  /** The asset tag of a Nitro host. */
  String instanceId() {
    return String.format(Locale.ROOT, "i-0123456789abcde%02x", (0xf0 + machine) % 256);
  }
}
