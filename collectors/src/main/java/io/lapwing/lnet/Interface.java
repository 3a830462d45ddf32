package io.lapwing.lnet;

import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network interface of this node: all lines that {@code nis} has of it, one for each CPU
 * partition.
 *
 * @param nid {@code 10.0.2.7@tcp}
 * @param credits of all partitions together
 * @param creditsMax of all partitions together
 * @param creditsMin of the partition that had the fewest
 */
record Interface(String nid, boolean up, long credits, long creditsMax, int creditsMin) {

  private static final String HEADER = "nid status alive refs peer rtr max tx min";

  /** LNet's talk with itself: always up, without credits. */
  private static final String LOOPBACK = "@lo";

  static List<Interface> parse(String file, String text) throws ParseFailure {
    Map<String, Interface> byNid = new LinkedHashMap<>();
    for (Words row : Words.table(file, text, HEADER)) {
      Interface partition = of(row);
      if (!partition.nid.endsWith(LOOPBACK)) {
        byNid.merge(partition.nid, partition, Interface::and);
      }
    }
    return new ArrayList<>(byNid.values());
  }

  private static Interface of(Words row) throws ParseFailure {
    return new Interface(
        row.nid(0), row.either(1, "up", "down"), row.signed(7), row.signed(6), row.signed(8));
  }

  private Interface and(Interface partition) {
    return new Interface(
        nid,
        up && partition.up,
        credits + partition.credits,
        creditsMax + partition.creditsMax,
        Math.min(creditsMin, partition.creditsMin));
  }
}
