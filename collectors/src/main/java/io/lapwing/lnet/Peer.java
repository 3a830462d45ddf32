package io.lapwing.lnet;

import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * A network interface of another node: one line of {@code peers}.
 *
 * @param nid {@code 10.0.1.15@tcp}
 * @param down whether LNet reports it as down; the state of most peers is not monitored
 * @param credits free send credits; negative while messages are queued
 * @param creditsMin the lowest value of {@code credits}
 */
record Peer(String nid, boolean down, int credits, int creditsMin, int queuedBytes) {

  private static final String HEADER = "nid refs state last max rtr min tx min queue";
  private static final String NOT_MONITORED = "NA";

  static List<Peer> parse(String file, String text) throws ParseFailure {
    List<Peer> peers = new ArrayList<>();
    for (LnetLine row : LnetLine.table(file, text, HEADER)) {
      peers.add(new Peer(row.nid(0), down(row), row.signed(7), row.signed(8), row.signed(9)));
    }
    return peers;
  }

  private static boolean down(LnetLine row) throws ParseFailure {
    return !row.is(2, NOT_MONITORED) && row.either(2, "down", "up");
  }
}
