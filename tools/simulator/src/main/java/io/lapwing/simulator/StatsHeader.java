package io.lapwing.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** The header of counter files: time of the read and, from 2.15 on, time of the last clear. */
record StatsHeader(LustreVersion version, Instant began) {

  /** Header of {@code stats} and similar files. */
  String stats(Instant now) {
    String first = field("snapshot_time", time(now));
    return version.since(LustreVersion.V2_15) ? first + sinceClear("", now) : first;
  }

  /** Header of {@code rpc_stats} and similar files. */
  String rpcStats(Instant now) {
    return version.since(LustreVersion.V2_15)
        ? field("snapshot_time:", time(now)) + sinceClear(":", now)
        : "snapshot_time:         " + time(now) + " (secs.nsecs)\n";
  }

  private String sinceClear(String colon, Instant now) {
    Duration elapsed = Duration.between(began, now);
    return field("start_time" + colon, time(began))
        + field("elapsed_time" + colon, time(Instant.EPOCH.plus(elapsed)));
  }

  private static String field(String name, String time) {
    return name + " ".repeat(25 - name.length()) + " " + time + " secs.nsecs\n";
  }

  private static String time(Instant moment) {
    return String.format(Locale.ROOT, "%d.%09d", moment.getEpochSecond(), moment.getNano());
  }
}
