package io.lapwing.lnet;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The metric families of LNet. Message counters wrap after 2^32 messages, and writing to {@code
 * stats} clears all; Prometheus handles both as counter resets.
 */
public final class LnetMetrics {

  private static final String NID = "nid";

  public static final Metric MESSAGES =
      gauge(
          "lapwing_lnet_messages",
          "Messages currently allocated by LNet (lnet/stats, msgs_alloc).");
  public static final Metric MESSAGES_MAX =
      gauge(
          "lapwing_lnet_messages_max",
          "Peak number of allocated messages since LNet was loaded or its statistics were cleared (lnet/stats, msgs_max).");
  public static final Metric ERRORS =
      counter("lapwing_lnet_errors_total", "LNet errors (lnet/stats, errors).");
  public static final Metric SENT_MESSAGES =
      counter("lapwing_lnet_sent_messages_total", "Messages sent (lnet/stats, send_count).");
  public static final Metric RECEIVED_MESSAGES =
      counter(
          "lapwing_lnet_received_messages_total", "Messages received (lnet/stats, recv_count).");
  public static final Metric ROUTED_MESSAGES =
      counter(
          "lapwing_lnet_routed_messages_total",
          "Messages routed for other nodes; 0 on a client (lnet/stats, route_count).");
  public static final Metric DROPPED_MESSAGES =
      counter("lapwing_lnet_dropped_messages_total", "Messages dropped (lnet/stats, drop_count).");
  public static final Metric SENT_BYTES =
      counter("lapwing_lnet_sent_bytes_total", "Bytes sent (lnet/stats, send_length).");
  public static final Metric RECEIVED_BYTES =
      counter("lapwing_lnet_received_bytes_total", "Bytes received (lnet/stats, recv_length).");
  public static final Metric ROUTED_BYTES =
      counter(
          "lapwing_lnet_routed_bytes_total",
          "Bytes routed for other nodes; 0 on a client (lnet/stats, route_length).");
  public static final Metric DROPPED_BYTES =
      counter("lapwing_lnet_dropped_bytes_total", "Bytes dropped (lnet/stats, drop_length).");

  public static final Metric NI_UP =
      gauge(
          "lapwing_lnet_ni_up",
          "1 if LNet reports this network interface of the node as up (lnet/nis, status).",
          NID);
  public static final Metric NI_TX_CREDITS =
      gauge(
          "lapwing_lnet_ni_tx_credits",
          "Free send credits of the interface, summed over its CPU partitions; negative while messages are queued (lnet/nis, tx).",
          NID);
  public static final Metric NI_TX_CREDITS_MAX =
      gauge(
          "lapwing_lnet_ni_tx_credits_max",
          "Send credits of the interface, summed over its CPU partitions (lnet/nis, max).",
          NID);
  public static final Metric NI_TX_CREDITS_MIN =
      gauge(
          "lapwing_lnet_ni_tx_credits_min",
          "Lowest number of free send credits of any CPU partition of the interface; negative if messages were queued (lnet/nis, min).",
          NID);

  public static final Metric PEERS =
      gauge("lapwing_lnet_peers", "Peer network interfaces known to LNet (lnet/peers).");
  public static final Metric PEERS_DOWN =
      gauge(
          "lapwing_lnet_peers_down",
          "Peers that LNet reports as down; it checks routers, and other peers if peer health is enabled (lnet/peers, state).");
  public static final Metric PEERS_OUT_OF_CREDITS =
      gauge(
          "lapwing_lnet_peers_out_of_credits",
          "Peers with messages queued for lack of send credits (lnet/peers, tx).");
  public static final Metric PEERS_EVER_OUT_OF_CREDITS =
      gauge(
          "lapwing_lnet_peers_ever_out_of_credits",
          "Peers with messages ever queued for lack of send credits (lnet/peers, min).");
  public static final Metric QUEUED_BYTES =
      gauge("lapwing_lnet_queued_bytes", "Bytes queued for sending to peers (lnet/peers, queue).");

  public static final Metric PEER_TX_CREDITS =
      gauge(
          "lapwing_lnet_peer_tx_credits",
          "Free send credits to the peer; negative while messages are queued (lnet/peers, tx).",
          NID);
  public static final Metric PEER_TX_CREDITS_MIN =
      gauge(
          "lapwing_lnet_peer_tx_credits_min",
          "Lowest number of free send credits to the peer (lnet/peers, min).",
          NID);
  public static final Metric PEER_QUEUED_BYTES =
      gauge(
          "lapwing_lnet_peer_queued_bytes",
          "Bytes queued for sending to the peer (lnet/peers, queue).",
          NID);

  private LnetMetrics() {}

  /** The labels of each interface or peer, the same objects in every round. */
  static final class NidLabels {

    private final Map<String, Labels> byNid = new HashMap<>();

    Labels of(String nid) {
      return byNid.computeIfAbsent(nid, unseen -> Labels.of("nid", unseen));
    }

    /** Forgets all others. */
    void keep(Collection<String> nids) {
      byNid.keySet().retainAll(nids);
    }
  }
}
