package io.lapwing.lnet;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/**
 * The families of LNet. The kernel counts messages in 32 bits, so these counters begin anew every
 * four thousand million messages, and all of them when somebody writes to {@code stats}; Prometheus
 * takes either for the reset that it is.
 */
public final class LnetMetrics {

  private static final String NID = "nid";

  public static final Metric MESSAGES =
      gauge("lapwing_lnet_messages", "Messages that LNet holds now (lnet/stats, msgs_alloc).");
  public static final Metric MESSAGES_MAX =
      gauge(
          "lapwing_lnet_messages_max",
          "The most messages that LNet held at a time since it was loaded or cleared (lnet/stats, msgs_max).");
  public static final Metric ERRORS =
      counter("lapwing_lnet_errors_total", "Errors of LNet (lnet/stats, errors).");
  public static final Metric SENT_MESSAGES =
      counter("lapwing_lnet_sent_messages_total", "Messages sent (lnet/stats, send_count).");
  public static final Metric RECEIVED_MESSAGES =
      counter(
          "lapwing_lnet_received_messages_total", "Messages received (lnet/stats, recv_count).");
  public static final Metric ROUTED_MESSAGES =
      counter(
          "lapwing_lnet_routed_messages_total",
          "Messages passed on for others; none on a client (lnet/stats, route_count).");
  public static final Metric DROPPED_MESSAGES =
      counter("lapwing_lnet_dropped_messages_total", "Messages dropped (lnet/stats, drop_count).");
  public static final Metric SENT_BYTES =
      counter("lapwing_lnet_sent_bytes_total", "Bytes sent (lnet/stats, send_length).");
  public static final Metric RECEIVED_BYTES =
      counter("lapwing_lnet_received_bytes_total", "Bytes received (lnet/stats, recv_length).");
  public static final Metric ROUTED_BYTES =
      counter(
          "lapwing_lnet_routed_bytes_total",
          "Bytes passed on for others; none on a client (lnet/stats, route_length).");
  public static final Metric DROPPED_BYTES =
      counter("lapwing_lnet_dropped_bytes_total", "Bytes dropped (lnet/stats, drop_length).");

  public static final Metric NI_UP =
      gauge(
          "lapwing_lnet_ni_up",
          "1 while LNet calls this network interface of the node up (lnet/nis, status).",
          NID);
  public static final Metric NI_TX_CREDITS =
      gauge(
          "lapwing_lnet_ni_tx_credits",
          "Messages that the interface could still send at once, over all CPU partitions; negative while messages wait (lnet/nis, tx).",
          NID);
  public static final Metric NI_TX_CREDITS_MAX =
      gauge(
          "lapwing_lnet_ni_tx_credits_max",
          "Messages that the interface may send at once, over all CPU partitions (lnet/nis, max).",
          NID);
  public static final Metric NI_TX_CREDITS_MIN =
      gauge(
          "lapwing_lnet_ni_tx_credits_min",
          "The fewest send credits that one of its CPU partitions ever had; negative where messages had to wait (lnet/nis, min).",
          NID);

  public static final Metric PEERS =
      gauge("lapwing_lnet_peers", "Network interfaces of others that LNet knows (lnet/peers).");
  public static final Metric PEERS_DOWN =
      gauge(
          "lapwing_lnet_peers_down",
          "Peers that LNet calls down; it watches routers, and others where that is switched on (lnet/peers, state).");
  public static final Metric PEERS_OUT_OF_CREDITS =
      gauge(
          "lapwing_lnet_peers_out_of_credits",
          "Peers to which messages wait now for lack of send credits (lnet/peers, tx).");
  public static final Metric PEERS_EVER_OUT_OF_CREDITS =
      gauge(
          "lapwing_lnet_peers_ever_out_of_credits",
          "Peers to which messages once had to wait for lack of send credits (lnet/peers, min).");
  public static final Metric QUEUED_BYTES =
      gauge(
          "lapwing_lnet_queued_bytes", "Bytes that wait to be sent to peers (lnet/peers, queue).");

  public static final Metric PEER_TX_CREDITS =
      gauge(
          "lapwing_lnet_peer_tx_credits",
          "Messages that could still be sent to the peer at once; negative while messages wait (lnet/peers, tx).",
          NID);
  public static final Metric PEER_TX_CREDITS_MIN =
      gauge(
          "lapwing_lnet_peer_tx_credits_min",
          "The fewest send credits to the peer that there ever were (lnet/peers, min).",
          NID);
  public static final Metric PEER_QUEUED_BYTES =
      gauge(
          "lapwing_lnet_peer_queued_bytes",
          "Bytes that wait to be sent to the peer (lnet/peers, queue).",
          NID);

  private LnetMetrics() {}
}
