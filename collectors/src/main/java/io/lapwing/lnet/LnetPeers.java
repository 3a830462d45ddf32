package io.lapwing.lnet;

import io.lapwing.collect.SampleSink;
import io.lapwing.linux.ParseFailure;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Aggregates over all peers, from {@code lnet/peers}, and optionally each of perhaps hundreds.
 *
 * <pre>
 * lapwing_lnet_peers 5
 * lapwing_lnet_peers_down 0                                    state
 * lapwing_lnet_peers_out_of_credits 0                          tx
 * lapwing_lnet_peers_ever_out_of_credits 1                     the min after it
 * lapwing_lnet_queued_bytes 0                                  queue
 * lapwing_lnet_peer_tx_credits{nid="10.0.1.15@tcp"} 8          tx
 * lapwing_lnet_peer_tx_credits_min{nid="10.0.1.15@tcp"} -12    the min after it
 * lapwing_lnet_peer_queued_bytes{nid="10.0.1.15@tcp"} 0        queue
 * </pre>
 */
final class LnetPeers {

  private final Supplier<Path> folder;
  private final boolean each;
  private final LnetTable<List<Peer>> peers = new LnetTable<>("peers", Peer::parse);
  private final LnetMetrics.NidLabels labels = new LnetMetrics.NidLabels();

  LnetPeers(Supplier<Path> folder, boolean each) {
    this.folder = folder;
    this.each = each;
  }

  void collect(SampleSink sink) {
    peers.read(folder.get(), sink).ifPresent(all -> put(all, sink));
  }

  private void put(List<Peer> all, SampleSink sink) {
    sink.add(LnetMetrics.PEERS, Labels.NONE, all.size());
    count(LnetMetrics.PEERS_DOWN, all, Peer::down, sink);
    count(LnetMetrics.PEERS_OUT_OF_CREDITS, all, peer -> peer.credits() < 0, sink);
    count(LnetMetrics.PEERS_EVER_OUT_OF_CREDITS, all, peer -> peer.creditsMin() < 0, sink);
    long queued = all.stream().mapToLong(Peer::queuedBytes).sum();
    sink.add(LnetMetrics.QUEUED_BYTES, Labels.NONE, (double) queued);
    if (each) {
      putEach(all, sink);
    }
  }

  private static void count(Metric metric, List<Peer> all, Predicate<Peer> which, SampleSink sink) {
    sink.add(metric, Labels.NONE, (double) all.stream().filter(which).count());
  }

  private void putEach(List<Peer> all, SampleSink sink) {
    labels.keep(all.stream().map(Peer::nid).toList());
    Set<String> seen = new HashSet<>();
    for (Peer peer : all) {
      if (seen.add(peer.nid())) {
        Labels nid = labels.of(peer.nid());
        sink.add(LnetMetrics.PEER_TX_CREDITS, nid, peer.credits());
        sink.add(LnetMetrics.PEER_TX_CREDITS_MIN, nid, peer.creditsMin());
        sink.add(LnetMetrics.PEER_QUEUED_BYTES, nid, peer.queuedBytes());
      }
    }
  }

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
}
