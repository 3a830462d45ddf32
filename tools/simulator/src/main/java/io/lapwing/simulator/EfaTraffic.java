package io.lapwing.simulator;

/**
 * What one device counts in a second, so that its counters tell one story: payload is a part of the
 * bytes on the wire, packets are bytes in packets, what is retransmitted is a share of what is
 * sent.
 *
 * @param sent bytes per second
 * @param received bytes per second
 * @param retransmitted the share of the sent packets that is sent again
 * @param verbs what the hardware does one-sidedly, which decides who carries the payload
 * @param alive whether the device sends keep-alives
 */
record EfaTraffic(
    double sent, double received, double retransmitted, EfaVerbs verbs, boolean alive) {
  private static final double BYTES_PER_PACKET = 8_192;
  private static final double BYTES_PER_TRANSFER = 1 << 20;
  private static final double BYTES_PER_MESSAGE = 4_096;

  /** Of the bytes on the wire, what is not header. */
  private static final double PAYLOAD = 0.97;

  /** Of the payload, where one-sided operations carry it, what still are messages and reads. */
  private static final double MESSAGES = 0.002;

  private static final double READS_BESIDE_WRITES = 0.005;

  private static final double KEEP_ALIVES = 1 / 3.0;

  /** A monitor that asks a port every 15 s makes the driver ask the device five things. */
  private static final double COMMANDS = 5 / 15.0;

  /** Rails are alike but not the same: a few parts in a thousand, the same in every run. */
  static EfaTraffic of(EfaModel model, int device, double load, double retransmitted, boolean up) {
    double full = model.bytesPerSecond() * load;
    return new EfaTraffic(
        full * (1 + (device * 7 % 11 - 5) / 1_000.0),
        full * (1 + (device * 5 % 13 - 6) / 1_000.0),
        retransmitted,
        model.verbs(),
        up);
  }

  double perSecond(EfaCounter counter) {
    return switch (counter) {
      case TX_BYTES -> sent;
      case TX_PKTS -> sent / BYTES_PER_PACKET;
      case RX_BYTES -> received;
      case RX_PKTS -> received / BYTES_PER_PACKET;
      case SEND_BYTES -> sent * messages();
      case SEND_WRS -> sent * messages() / BYTES_PER_MESSAGE;
      case RECV_BYTES -> received * messages();
      case RECV_WRS -> received * messages() / BYTES_PER_MESSAGE;
      case RDMA_READ_WRS -> received * reads() / BYTES_PER_TRANSFER;
      case RDMA_READ_BYTES -> received * reads();
      case RDMA_READ_RESP_BYTES -> sent * reads();
      case RDMA_WRITE_WRS -> sent * writes() / BYTES_PER_TRANSFER;
      case RDMA_WRITE_BYTES -> sent * writes();
      case RDMA_WRITE_RECV_BYTES -> received * writes();
      case RETRANS_BYTES -> sent * retransmitted;
      case RETRANS_PKTS -> sent / BYTES_PER_PACKET * retransmitted;
      case SUBMITTED_CMDS, COMPLETED_CMDS -> COMMANDS;
      case KEEP_ALIVE_RCVD -> alive ? KEEP_ALIVES : 0;
      default -> 0;
    };
  }

  private double messages() {
    return verbs == EfaVerbs.SEND ? PAYLOAD : PAYLOAD * MESSAGES;
  }

  private double reads() {
    return switch (verbs) {
      case SEND -> 0;
      case READ -> PAYLOAD * (1 - MESSAGES);
      case WRITE -> PAYLOAD * READS_BESIDE_WRITES;
    };
  }

  private double writes() {
    return verbs == EfaVerbs.WRITE ? PAYLOAD * (1 - MESSAGES - READS_BESIDE_WRITES) : 0;
  }
}
