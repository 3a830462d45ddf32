package io.lapwing.simulator;

/**
 * Counts per second of one device that are consistent with each other: payload is a part of the
 * bytes on the wire, packets follow from bytes, and retransmissions are a share of sent packets.
 *
 * @param sent bytes per second
 * @param received bytes per second
 * @param retransmitted share of sent packets that are retransmitted
 * @param verbs one-sided operations of the hardware, which decide which counters carry the payload
 * @param alive whether the device sends keep-alives
 */
record EfaTraffic(
    double sent, double received, double retransmitted, EfaModel.Verbs verbs, boolean alive) {
  private static final double BYTES_PER_PACKET = 8_192;
  private static final double BYTES_PER_TRANSFER = 1 << 20;
  private static final double BYTES_PER_MESSAGE = 4_096;

  /** Share of payload in the bytes on the wire. */
  private static final double PAYLOAD = 0.97;

  /** Share of messages and reads in the payload if one-sided operations carry the rest. */
  private static final double MESSAGES = 0.002;

  private static final double READS_BESIDE_WRITES = 0.005;

  private static final double KEEP_ALIVES = 1 / 3.0;

  /** A monitor that reads a port every 15 s causes five admin commands. */
  private static final double COMMANDS = 5 / 15.0;

  /** Rails differ by a few parts in a thousand, the same in every run. */
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
    return verbs == EfaModel.Verbs.SEND ? PAYLOAD : PAYLOAD * MESSAGES;
  }

  private double reads() {
    return switch (verbs) {
      case SEND -> 0;
      case READ -> PAYLOAD * (1 - MESSAGES);
      case WRITE -> PAYLOAD * READS_BESIDE_WRITES;
    };
  }

  private double writes() {
    return verbs == EfaModel.Verbs.WRITE ? PAYLOAD * (1 - MESSAGES - READS_BESIDE_WRITES) : 0;
  }
}
