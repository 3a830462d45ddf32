package io.lapwing.agent.attribution;

import io.lapwing.metric.Metric;
import java.util.List;

/**
 * An observation on the node that is independent of the training loop; {@code text} is a clause.
 */
record Evidence(Kind kind, String text) {

  /** What the observation points to. */
  enum Kind {
    /** A file system answers slowly or not at all. */
    STORAGE,
    /** A file system received many writes. */
    WRITES,
    PROCESSORS,
    MEMORY,
    DISKS,
    /**
     * The SMs were idle. NCCL waits keep them active, so the rank waited for data or saved a
     * checkpoint.
     */
    IDLE_GPU,
    /** The network lost or retransmitted packets. */
    NETWORK,
    /** The GPU is throttled or has errors. */
    GPU
  }

  /** Derives evidence of training slowdowns from the parts of one kind. */
  interface EvidenceSource {

    /** {@code gpu}, or the kind of the parts. */
    String kind();

    /** The families whose values are used. */
    List<Metric> reads();

    /** The counters whose increase is used. */
    List<Metric> trends();
  }
}
