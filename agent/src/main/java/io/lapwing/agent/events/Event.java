package io.lapwing.agent.events;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Something that happened on this node. One line of the event log each; the simple name of the
 * record in snake case is its {@code kind} there.
 *
 * <p>{@code gpu} is a UUID; empty where only the PCI address is known.
 */
public sealed interface Event {

  /** When it happened, as the source tells it. */
  Instant at();

  /** The agent began to run. */
  record Started(Instant at, String version) implements Event {}

  /**
   * The machine was booted: the first event of a boot.
   *
   * @param at when the machine was booted
   * @param bootId {@code /proc/sys/kernel/random/boot_id}
   * @param instanceId another one than before means that the node was replaced; may be empty
   */
  record Booted(Instant at, String bootId, String instanceId) implements Event {}

  /** The driver was seen loaded for the first time in this boot, or anew. */
  record DriverLoaded(Instant at, String version) implements Event {}

  /** Who told of an XID. */
  enum Origin {
    KERNEL,
    NVML
  }

  /**
   * XIDs of one kind that came at one time.
   *
   * @param times how many; more than 1 where many came so fast that they were counted together
   * @param sequence of the last of them in /dev/kmsg
   * @param message of the first of them, shortened
   */
  record Xid(
      Instant at,
      String gpu,
      String pci,
      OptionalInt gpuInstance,
      OptionalInt computeInstance,
      int number,
      OptionalLong pid,
      String process,
      String message,
      OptionalInt cause,
      Set<Origin> origins,
      long times,
      OptionalLong sequence)
      implements Event {
    public Xid {
      origins = Set.copyOf(origins);
    }

    /** The same with one that came later drawn into it. */
    Xid and(Xid later) {
      return copy(gpu, times + later.times, later.sequence.isPresent() ? later.sequence : sequence);
    }

    /** The same on a GPU whose UUID is known by now. */
    public Xid on(String uuid) {
      return copy(uuid, times, sequence);
    }

    private Xid copy(String uuid, long many, OptionalLong readTo) {
      return new Xid(
          at,
          uuid,
          pci,
          gpuInstance,
          computeInstance,
          number,
          pid,
          process,
          message,
          cause,
          origins,
          many,
          readTo);
    }
  }

  /** Faults of an NVSwitch of one kind that came at one time. */
  record SXid(
      Instant at,
      String device,
      String pci,
      int number,
      boolean fatal,
      OptionalInt link,
      String message,
      long times,
      OptionalLong sequence)
      implements Event {

    /** The same with one that came later drawn into it. */
    SXid and(SXid later) {
      return new SXid(
          at,
          device,
          pci,
          number,
          fatal,
          link,
          message,
          times + later.times,
          later.sequence.isPresent() ? later.sequence : sequence);
    }
  }

  /**
   * How far the kernel log was read in this boot, where no other event says it.
   *
   * @param lost messages that the kernel overwrote before they could be read
   */
  record KernelLogRead(Instant at, long sequence, long lost) implements Event {}

  /**
   * A GPU's count of errors grew.
   *
   * @param since when {@code from} was read
   * @param corrected whether ECC corrected them
   * @param from aggregate count where the GPU has one, else the volatile one
   */
  record EccGrowth(Instant at, Instant since, String gpu, boolean corrected, long from, long to)
      implements Event {}

  /** Rows were remapped: how many by each kind of error until now. */
  record RowsRemapped(Instant at, String gpu, long correctable, long uncorrectable)
      implements Event {}

  /** A GPU does not answer any more. */
  record GpuLost(Instant at, String gpu, String reason) implements Event {}

  /** A GPU that was lost answers again. */
  record GpuReturned(Instant at, String gpu) implements Event {}

  /**
   * A GPU was reset.
   *
   * @param sign what showed it
   */
  record GpuReset(Instant at, String gpu, String sign) implements Event {}

  /**
   * A GPU as it was while it waited for a reset, so that one which happens while the agent does not
   * run is seen afterwards.
   *
   * @param energy millijoules since the driver was loaded or the GPU reset: less means a reset
   */
  record GpuSeen(Instant at, String gpu, long energy) implements Event {}

  /**
   * What ran on a GPU when it faulted runs no more.
   *
   * @param pid of the process that ended; empty where no process is left on the GPU
   */
  record ApplicationEnded(Instant at, String gpu, OptionalLong pid) implements Event {}

  /**
   * A finding appeared.
   *
   * @param since when its symptom began; a rule may wait before it makes a finding of one
   */
  record FindingOpened(
      Instant at,
      Instant since,
      String rule,
      String subject,
      String severity,
      String action,
      String what)
      implements Event {}

  /**
   * A finding went.
   *
   * @param why {@code gone}, {@code reset}, {@code cleared} ...
   */
  record FindingClosed(Instant at, String rule, String subject, String why) implements Event {}

  /** The verdict on the node or on one GPU changed. */
  record VerdictChanged(Instant at, String subject, String from, String to, String action)
      implements Event {}

  /**
   * An operator said that something is dealt with.
   *
   * @param rule empty for all
   * @param subject empty for all
   */
  record OperatorCleared(Instant at, String rule, String subject, String note) implements Event {}
}
