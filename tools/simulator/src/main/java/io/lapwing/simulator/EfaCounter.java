package io.lapwing.simulator;

import java.util.Locale;

/**
 * A file in one of a device's two {@code hw_counters} folders, and the first driver version with
 * it.
 */
enum EfaCounter {
  TX_BYTES(true, 1, 4),
  TX_PKTS(true, 1, 4),
  RX_BYTES(true, 1, 4),
  RX_PKTS(true, 1, 4),
  RX_DROPS(true, 1, 4),
  SEND_BYTES(true, 1, 10),
  SEND_WRS(true, 1, 10),
  RECV_BYTES(true, 1, 10),
  RECV_WRS(true, 1, 10),
  RDMA_READ_WRS(true, 1, 10),
  RDMA_READ_BYTES(true, 1, 10),
  RDMA_READ_WR_ERR(true, 1, 10),
  RDMA_READ_RESP_BYTES(true, 1, 10),
  RDMA_WRITE_WRS(true, 2, 5),
  RDMA_WRITE_BYTES(true, 2, 5),
  RDMA_WRITE_WR_ERR(true, 2, 5),
  RDMA_WRITE_RECV_BYTES(true, 2, 5),
  RETRANS_BYTES(true, 2, 17),
  RETRANS_PKTS(true, 2, 17),
  RETRANS_TIMEOUT_EVENTS(true, 2, 17),
  IMPAIRED_REMOTE_CONN_EVENTS(true, 2, 17),
  UNRESPONSIVE_REMOTE_EVENTS(true, 2, 17),
  SUBMITTED_CMDS(false, 1, 4),
  COMPLETED_CMDS(false, 1, 4),
  CMDS_ERR(false, 1, 4),
  NO_COMPLETION_CMDS(false, 1, 4),
  KEEP_ALIVE_RCVD(false, 1, 4),
  ALLOC_PD_ERR(false, 1, 4),
  CREATE_QP_ERR(false, 1, 4),
  CREATE_CQ_ERR(false, 1, 4),
  REG_MR_ERR(false, 1, 4),
  ALLOC_UCONTEXT_ERR(false, 1, 4),
  CREATE_AH_ERR(false, 1, 4),
  MMAP_ERR(false, 1, 4),
  ALLOC_MR_ERR(false, 2, 12),
  GET_DMA_MR_ERR(false, 2, 12);

  private final boolean ofPort;
  private final int sinceMajor;
  private final int sinceMinor;

  EfaCounter(boolean ofPort, int sinceMajor, int sinceMinor) {
    this.ofPort = ofPort;
    this.sinceMajor = sinceMajor;
    this.sinceMinor = sinceMinor;
  }

  String file() {
    return name().toLowerCase(Locale.ROOT);
  }

  int sinceMajor() {
    return sinceMajor;
  }

  int sinceMinor() {
    return sinceMinor;
  }

  /** Path below the device. */
  String path(EfaDriver driver) {
    return folder(ofPort || !driver.splitsDeviceFromPort()) + file();
  }

  /** The port's folder or the device's. */
  static String folder(boolean ofPort) {
    return ofPort ? "ports/1/hw_counters/" : "hw_counters/";
  }
}
