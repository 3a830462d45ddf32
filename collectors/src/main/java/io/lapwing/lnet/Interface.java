package io.lapwing.lnet;

import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network interface of this node: all its lines in {@code nis}, one per CPU partition.
 *
 * @param nid {@code 10.0.2.7@tcp}
 * @param credits sum over all partitions
 * @param creditsMax sum over all partitions
 * @param creditsMin minimum over all partitions
 */
record Interface(String nid, boolean up, long credits, long creditsMax, int creditsMin) {

  private static final String HEADER = "nid status alive refs peer rtr max tx min";

  /** The loopback interface: always up, without credits. */
  private static final String LOOPBACK = "@lo";

  static List<Interface> parse(String file, String text) throws ParseFailure {
    Map<String, Interface> byNid = new LinkedHashMap<>();
    for (LnetLine row : LnetLine.table(file, text, HEADER)) {
      Interface partition = of(row);
      if (!partition.nid.endsWith(LOOPBACK)) {
        byNid.merge(partition.nid, partition, Interface::and);
      }
    }
    return new ArrayList<>(byNid.values());
  }

  private static Interface of(LnetLine row) throws ParseFailure {
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
