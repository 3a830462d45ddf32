package io.lapwing.agent.attribution;

import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Locale;

/**
 * An observation on the node that is independent of the training loop; {@code text} is a clause.
 */
record Evidence(Kind kind, String text, Strength strength) {

  /** What it points to, whatever the length of the loss. */
  Evidence(Kind kind, String text) {
    this(kind, text, excess -> true);
  }

  /** Whether it can be the cause of an excess. */
  @FunctionalInterface
  interface Strength {
    boolean accountsFor(Excess excess);
  }

  /**
   * By how much a portion took longer than expected.
   *
   * @param times as long; infinite if nothing was expected
   * @param share of the time of the steps that was lost
   */
  record Excess(double times, double share) {}

  /** What the observation points to. */
  enum Kind {
    /** A file system answers slowly or not at all. */
    STORAGE,
    /** A file system received many writes. */
    WRITES,
    PROCESSORS,
    /** The process of the rank waited for a processor. */
    OWN_PROCESSOR,
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
    GPU,
    /** The clock of the GPU is lower than that of its siblings. */
    SLOW_CLOCK;

    /** Whether it is the same for all ranks of the node, and so cannot explain one of them. */
    boolean isOfNode() {
      return switch (this) {
        case STORAGE, WRITES, PROCESSORS, MEMORY, DISKS, NETWORK -> true;
        case OWN_PROCESSOR, IDLE_GPU, GPU, SLOW_CLOCK -> false;
      };
    }
  }

  /** Evidence whose text is a format, as of {@link String#format}, and its arguments. */
  static Evidence of(Kind kind, String format, Object... arguments) {
    return new Evidence(kind, String.format(Locale.ROOT, format, arguments));
  }

  /**
   * What evidence is derived from.
   *
   * @param kind {@code gpu}, or the kind of the parts
   * @param reads the families whose values are used
   * @param trends the counters whose increase is used
   */
  record Inputs(String kind, List<Metric> reads, List<Metric> trends) {}
}
