package io.lapwing.lnet;

import io.lapwing.linux.ParseFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * A network interface of another node: one line of {@code peers}.
 *
 * @param nid {@code 10.0.1.15@tcp}
 * @param down whether LNet says so; of most peers it does not know
 * @param credits messages that may still be sent at once; negative while some wait
 * @param creditsMin the fewest there ever were
 */
record Peer(String nid, boolean down, int credits, int creditsMin, int queuedBytes) {

  private static final String HEADER = "nid refs state last max rtr min tx min queue";
  private static final String NOT_WATCHED = "NA";

  static List<Peer> parse(String file, String text) throws ParseFailure {
    List<Peer> peers = new ArrayList<>();
    for (Words row : Words.table(file, text, HEADER)) {
      peers.add(new Peer(row.nid(0), down(row), row.signed(7), row.signed(8), row.signed(9)));
    }
    return peers;
  }

  private static boolean down(Words row) throws ParseFailure {
    return !row.is(2, NOT_WATCHED) && row.either(2, "down", "up");
  }
}
