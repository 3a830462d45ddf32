package io.lapwing.efa;

import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One counter of the driver.
 *
 * @param file its name in {@code hw_counters}
 * @param ofPort a counter of the port; drivers before 1.14 have those of the device there too
 */
record EfaCounter(String file, Metric metric, boolean ofPort) {

  /** Device counters first: the driver caches them, so reading does not query the device. */
  static final List<EfaCounter> ALL = Stream.concat(allOfDevice(), allOfPort()).toList();

  private static Stream<EfaCounter> allOfDevice() {
    return Stream.of(
            Map.entry("submitted_cmds", EfaMetrics.SUBMITTED_COMMANDS),
            Map.entry("completed_cmds", EfaMetrics.COMPLETED_COMMANDS),
            Map.entry("cmds_err", EfaMetrics.COMMAND_ERRORS),
            Map.entry("no_completion_cmds", EfaMetrics.COMMANDS_WITHOUT_COMPLETION),
            Map.entry("keep_alive_rcvd", EfaMetrics.KEEP_ALIVES),
            Map.entry("alloc_pd_err", EfaMetrics.ALLOC_PD_ERRORS),
            Map.entry("create_qp_err", EfaMetrics.CREATE_QP_ERRORS),
            Map.entry("create_cq_err", EfaMetrics.CREATE_CQ_ERRORS),
            Map.entry("reg_mr_err", EfaMetrics.REG_MR_ERRORS),
            Map.entry("alloc_ucontext_err", EfaMetrics.ALLOC_UCONTEXT_ERRORS),
            Map.entry("create_ah_err", EfaMetrics.CREATE_AH_ERRORS),
            Map.entry("mmap_err", EfaMetrics.MMAP_ERRORS),
            Map.entry("alloc_mr_err", EfaMetrics.ALLOC_MR_ERRORS),
            Map.entry("get_dma_mr_err", EfaMetrics.GET_DMA_MR_ERRORS))
        .map(counter -> new EfaCounter(counter.getKey(), counter.getValue(), false));
  }

  private static Stream<EfaCounter> allOfPort() {
    return Stream.of(
            EfaMetrics.TX_BYTES,
            EfaMetrics.TX_PACKETS,
            EfaMetrics.RX_BYTES,
            EfaMetrics.RX_PACKETS,
            EfaMetrics.RX_DROPS,
            EfaMetrics.SEND_BYTES,
            EfaMetrics.SEND_REQUESTS,
            EfaMetrics.RECEIVE_BYTES,
            EfaMetrics.RECEIVE_REQUESTS,
            EfaMetrics.RDMA_READ_REQUESTS,
            EfaMetrics.RDMA_READ_BYTES,
            EfaMetrics.RDMA_READ_ERRORS,
            EfaMetrics.RDMA_READ_RESPONSE_BYTES,
            EfaMetrics.RDMA_WRITE_REQUESTS,
            EfaMetrics.RDMA_WRITE_BYTES,
            EfaMetrics.RDMA_WRITE_ERRORS,
            EfaMetrics.RDMA_WRITE_RECEIVED_BYTES,
            EfaMetrics.RETRANSMITTED_BYTES,
            EfaMetrics.RETRANSMITTED_PACKETS,
            EfaMetrics.RETRANSMIT_TIMEOUTS,
            EfaMetrics.IMPAIRED_PEERS,
            EfaMetrics.UNRESPONSIVE_PEERS)
        .map(
            metric ->
                new EfaCounter(metric.name().substring(EfaMetrics.FOREIGN.length()), metric, true));
  }
}
