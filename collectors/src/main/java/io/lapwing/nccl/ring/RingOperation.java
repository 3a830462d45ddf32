package io.lapwing.nccl.ring;

/** The operations that a ring file distinguishes, in its order, with NCCL's names. */
enum RingOperation {
  ALL_REDUCE(0, "AllReduce"),
  ALL_GATHER(1, "AllGather"),
  REDUCE_SCATTER(2, "ReduceScatter"),
  BROADCAST(3, "Broadcast"),
  REDUCE(4, "Reduce"),
  ALL_TO_ALL(5, "AlltoAll"),
  /** Sends and receives, which have no number that is the same on all ranks. */
  SEND_RECV(6, "SendRecv"),
  /** Collectives of the GPU's copy engines, whose end a plugin cannot detect. */
  COPY_ENGINE(7, "CopyEngine"),
  OTHER(8, "Other");

  private final int place;
  private final String text;

  RingOperation(int place, String text) {
    this.place = place;
    this.text = text;
  }

  /** In the table of the file. */
  int place() {
    return place;
  }

  /**
   * Whether its kernels end at about the same time on all ranks. The root of a broadcast may end
   * before the others start, as may the leaves of a reduction.
   */
  boolean isSymmetric() {
    return switch (this) {
      case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> true;
      case BROADCAST, REDUCE, SEND_RECV, COPY_ENGINE, OTHER -> false;
    };
  }

  String text() {
    return text;
  }
}
