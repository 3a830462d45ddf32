package io.lapwing.agent.events;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Something that happened on this node: one line of the event log. {@link EventKind} has its
 * members.
 *
 * <p>{@code gpu} is a UUID; empty if only the PCI address is known. A text that may be unknown is
 * empty then.
 */
public sealed interface Event {

  /** When it happened, by the clock of its source. */
  Instant at();

  /** The agent started. */
  record Started(Instant at, String version) implements Event {}

  /**
   * The machine was booted: the first event of a boot.
   *
   * @param at when the machine was booted
   * @param bootId {@code /proc/sys/kernel/random/boot_id}
   * @param instanceId a different one than before means that the node was replaced; may be empty
   */
  record Booted(Instant at, String bootId, String instanceId) implements Event {}

  /** The driver was loaded: first seen in this boot, or reloaded. */
  record DriverLoaded(Instant at, String version) implements Event {}

  /** The source that reported an XID. */
  enum Origin {
    KERNEL,
    NVML
  }

  /**
   * XIDs of one number on one GPU.
   *
   * @param times how many; more than 1 if they were coalesced or compacted
   * @param message of the first of them, shortened
   * @param cause the XID that caused this one
   * @param sequence of the last of them in /dev/kmsg
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

    /** This one and a later one as one event. */
    Xid merged(Xid later) {
      return copy(gpu, times + later.times, later.sequence.isPresent() ? later.sequence : sequence);
    }

    /** As this, on the GPU with that UUID. */
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

  /** Faults of one number of an NVSwitch. */
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

    /** This one and a later one as one event. */
    SXid merged(SXid later) {
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
   * The position in the kernel log of this boot, if no other event has it.
   *
   * @param lost messages that the kernel overwrote before they could be read
   */
  record KernelLogRead(Instant at, long sequence, long lost) implements Event {}

  /**
   * A GPU's ECC error counter increased.
   *
   * @param since when {@code from} was read
   * @param corrected whether ECC corrected them
   * @param from the aggregate counter if the GPU has one, else the volatile one
   */
  record EccGrowth(Instant at, Instant since, String gpu, boolean corrected, long from, long to)
      implements Event {

    /** This one and a later one as one event. */
    EccGrowth merged(EccGrowth later) {
      return new EccGrowth(later.at, since, gpu, corrected, from, later.to);
    }
  }

  /** Rows were remapped. The counts are totals, by kind of error. */
  record RowsRemapped(Instant at, String gpu, long correctable, long uncorrectable)
      implements Event {}

  /** A GPU no longer answers. */
  record GpuLost(Instant at, String gpu, String reason) implements Event {}

  /** A lost GPU answers again. */
  record GpuReturned(Instant at, String gpu) implements Event {}

  /**
   * A GPU was reset.
   *
   * @param sign how the reset was recognised
   */
  record GpuReset(Instant at, String gpu, String sign) implements Event {}

  /**
   * The state of a GPU that waits for a reset, so that a reset is recognised even if the agent was
   * not running.
   *
   * @param energy millijoules since the driver was loaded or the GPU reset: less means a reset
   */
  record GpuSeen(Instant at, String gpu, long energy) implements Event {}

  /**
   * The application that a GPU fault hit has ended.
   *
   * @param pid of the process that ended; empty if no process is left on the GPU
   */
  record ApplicationEnded(Instant at, String gpu, OptionalLong pid) implements Event {}

  /**
   * A finding was opened.
   *
   * @param since when its symptom started; a rule may require it to last
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
   * A finding was closed.
   *
   * @param why {@code gone}, {@code reset}, {@code cleared} ...
   */
  record FindingClosed(Instant at, String rule, String subject, String why) implements Event {}

  /** The verdict on the node or on one GPU changed. */
  record VerdictChanged(Instant at, String subject, String from, String to, String action)
      implements Event {}

  /**
   * An operator acknowledged findings.
   *
   * @param rule empty for all
   * @param subject empty for all
   */
  record OperatorCleared(Instant at, String rule, String subject, String note) implements Event {}
}
