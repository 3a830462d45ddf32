package io.lapwing.efa;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/**
 * The metric families of EFA devices. Port counters have the names of AWS's EFA exporter. Paths are
 * below {@code class/infiniband/<device>} of sysfs.
 */
public final class EfaMetrics {

  static final String DEVICE = "device";
  static final String PORT = "port";

  /** The prefix before the file name in the metric names of AWS's exporter. */
  static final String FOREIGN = "node_amazonefa_";

  public static final Metric UP =
      gauge(
          "lapwing_efa_up",
          "1 if the EFA device responds; 0 if it hangs or was removed (class/infiniband).",
          DEVICE);
  public static final Metric DEVICES =
      gauge("lapwing_efa_devices", "EFA devices on the node (class/infiniband).");
  public static final Metric FOREIGN_INFO =
      gauge(FOREIGN + "info", "1 for each EFA device (class/infiniband).", DEVICE);
  public static final Metric INFO =
      gauge(
          "lapwing_efa_info",
          "EFA device metadata, including its PCI address and nearest GPUs; value is always 1 (device, node_guid, ports/1/rate, ports/1/gids/0, bus/pci/devices, module/efa/version).",
          DEVICE,
          "pci_address",
          "pci_device_id",
          "driver_version",
          "rate",
          "numa_node",
          "node_guid",
          "eni_mac",
          "p2p_provider",
          "counter_lifespan_ms",
          "nearest_gpus");
  public static final Metric RATE =
      gauge(
          "lapwing_efa_rate_bytes_per_second",
          "Speed of the port in one direction, rounded to a speed of InfiniBand (ports/1/rate).",
          DEVICE,
          PORT);

  public static final Metric TX_BYTES = port("tx_bytes", "Bytes sent");
  public static final Metric TX_PACKETS = port("tx_pkts", "Packets sent");
  public static final Metric RX_BYTES = port("rx_bytes", "Bytes received");
  public static final Metric RX_PACKETS = port("rx_pkts", "Packets received");
  public static final Metric RX_DROPS = port("rx_drops", "Packets received and then dropped");
  public static final Metric SEND_BYTES = port("send_bytes", "Bytes of two-sided sends");
  public static final Metric SEND_REQUESTS = port("send_wrs", "Work requests of two-sided sends");
  public static final Metric RECEIVE_BYTES = port("recv_bytes", "Bytes of two-sided receives");
  public static final Metric RECEIVE_REQUESTS =
      port("recv_wrs", "Work requests of two-sided receives");
  public static final Metric RDMA_READ_REQUESTS =
      port("rdma_read_wrs", "Work requests of RDMA reads issued here and completed");
  public static final Metric RDMA_READ_BYTES =
      port("rdma_read_bytes", "Bytes of RDMA reads issued here and completed");
  public static final Metric RDMA_READ_ERRORS =
      port("rdma_read_wr_err", "Work requests of RDMA reads with a local or remote error");
  public static final Metric RDMA_READ_RESPONSE_BYTES =
      port("rdma_read_resp_bytes", "Bytes that peers read from this device");
  public static final Metric RDMA_WRITE_REQUESTS =
      port("rdma_write_wrs", "Work requests of RDMA writes issued here and completed");
  public static final Metric RDMA_WRITE_BYTES =
      port("rdma_write_bytes", "Bytes of RDMA writes issued here and completed");
  public static final Metric RDMA_WRITE_ERRORS =
      port("rdma_write_wr_err", "Work requests of RDMA writes with a local or remote error");
  public static final Metric RDMA_WRITE_RECEIVED_BYTES =
      port("rdma_write_recv_bytes", "Bytes that peers wrote to this device");
  public static final Metric RETRANSMITTED_BYTES =
      port("retrans_bytes", "Bytes retransmitted by SRD");
  public static final Metric RETRANSMITTED_PACKETS =
      port("retrans_pkts", "Packets retransmitted by SRD");
  public static final Metric RETRANSMIT_TIMEOUTS =
      port(
          "retrans_timeout_events",
          "Times that SRD timed out and switched to another network path");
  public static final Metric IMPAIRED_PEERS =
      port(
          "impaired_remote_conn_events",
          "Times that a connection was marked impaired and rate limited");
  public static final Metric UNRESPONSIVE_PEERS =
      port("unresponsive_remote_events", "Times that a remote peer did not respond");

  public static final Metric SUBMITTED_COMMANDS =
      device("submitted_commands", "Admin commands submitted to the device", "submitted_cmds");
  public static final Metric COMPLETED_COMMANDS =
      device("completed_commands", "Admin commands that the device completed", "completed_cmds");
  public static final Metric COMMAND_ERRORS =
      device("command_errors", "Admin commands that failed", "cmds_err");
  public static final Metric COMMANDS_WITHOUT_COMPLETION =
      device(
          "commands_without_completion",
          "Admin commands that the device never completed",
          "no_completion_cmds");
  public static final Metric KEEP_ALIVES =
      device("keep_alives", "Keep-alive events that the device sent", "keep_alive_rcvd");
  public static final Metric ALLOC_PD_ERRORS =
      device("alloc_pd_errors", "Protection domains that could not be allocated", "alloc_pd_err");
  public static final Metric CREATE_QP_ERRORS =
      device("create_qp_errors", "Queue pairs that could not be created", "create_qp_err");
  public static final Metric CREATE_CQ_ERRORS =
      device("create_cq_errors", "Completion queues that could not be created", "create_cq_err");
  public static final Metric REG_MR_ERRORS =
      device("reg_mr_errors", "Memory regions that could not be registered", "reg_mr_err");
  public static final Metric ALLOC_UCONTEXT_ERRORS =
      device(
          "alloc_ucontext_errors",
          "User contexts that could not be allocated",
          "alloc_ucontext_err");
  public static final Metric CREATE_AH_ERRORS =
      device("create_ah_errors", "Address handles that could not be created", "create_ah_err");
  public static final Metric MMAP_ERRORS =
      device("mmap_errors", "Memory mappings into a process that failed", "mmap_err");
  public static final Metric ALLOC_MR_ERRORS =
      device(
          "alloc_mr_errors", "Memory regions that the kernel could not allocate", "alloc_mr_err");
  public static final Metric GET_DMA_MR_ERRORS =
      device(
          "get_dma_mr_errors",
          "DMA memory regions that the kernel could not create",
          "get_dma_mr_err");

  private EfaMetrics() {}

  private static Metric port(String file, String what) {
    return counter(FOREIGN + file, what + " (ports/1/hw_counters/" + file + ").", DEVICE, PORT);
  }

  private static Metric device(String quantity, String what, String file) {
    return counter(
        "lapwing_efa_" + quantity + "_total", what + " (hw_counters/" + file + ").", DEVICE);
  }
}
