package io.lapwing.agent.events;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Something that happened on this node: a line of the event log. {@code gpu} is a UUID; empty if
 * only the PCI address is known, as is any unknown text.
 */
public sealed interface Event {

  /** When it happened, by the clock of its source. */
  Instant at();

  /** Whether this GPU restarted: it was reset, the driver was loaded, or the machine booted. */
  default boolean restarts(String gpu) {
    return this instanceof Booted
        || this instanceof DriverLoaded
        || (this instanceof GpuReset reset && reset.gpu().equals(gpu));
  }

  record Started(Instant at, String version) implements Event {}

  /**
   * The first event of a boot. A changed {@code instanceId} (may be empty) means that the node was
   * replaced; {@code bootId} is {@code /proc/sys/kernel/random/boot_id}.
   */
  record Booted(Instant at, String bootId, String instanceId) implements Event {}

  /** The driver was loaded: first seen in this boot, or reloaded. */
  record DriverLoaded(Instant at, String version) implements Event {}

  /**
   * Whether NVML confirmed a finding that only the kernel log has: by its event for the XID, or by
   * the state of the GPU; not within a minute if {@code confirmed} is false.
   */
  record FindingConfirmation(Instant at, String rule, String subject, boolean confirmed)
      implements Event {}

  /** What the kernel logged; an XID may be known from NVML alone. */
  sealed interface KernelMessage {

    Instant at();

    /** That of the last message in /dev/kmsg; empty where it is not from there. */
    OptionalLong sequence();
  }

  enum Origin {
    KERNEL,
    NVML
  }

  /**
   * XIDs of one number on one GPU.
   *
   * @param times how many; more than 1 if they were coalesced or compacted, 0 if this is only the
   *     message of what an earlier event counts
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
      implements Event, KernelMessage {
    public Xid {
      origins = Set.copyOf(origins);
    }

    Xid merged(Xid later) {
      return copy(gpu, times + later.times, later.sequence.isPresent() ? later.sequence : sequence);
    }

    /** As this, on the GPU with that UUID. */
    public Xid on(String uuid) {
      return copy(uuid, times, sequence);
    }

    /** As this, for XIDs that another event counts. */
    Xid described() {
      return copy(gpu, 0, sequence);
    }

    /** As this, with another name of the program and another text. */
    public Xid by(String program, String text) {
      return new Xid(
          at,
          gpu,
          pci,
          gpuInstance,
          computeInstance,
          number,
          pid,
          program,
          text,
          cause,
          origins,
          times,
          sequence);
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
      implements Event, KernelMessage {

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
   * An error that the driver logged without an XID: {@code times} is more than 1 if messages were
   * coalesced or compacted, {@code message} the first of them, shortened, {@code sequence} that of
   * the last of them in /dev/kmsg.
   */
  sealed interface DriverError extends KernelMessage {

    /** Empty where the driver names no GPU. */
    String gpu();

    String pci();

    String message();

    long times();

    Event merged(DriverError later);

    /** As this, on the GPU with that UUID. */
    Event on(String uuid);
  }

  /** The driver could not initialize a GPU. */
  record GpuInitFailed(
      Instant at, String gpu, String pci, String message, long times, OptionalLong sequence)
      implements Event, DriverError {

    @Override
    public GpuInitFailed merged(DriverError later) {
      return new GpuInitFailed(
          at, gpu, pci, message, times + later.times(), later(sequence, later.sequence()));
    }

    @Override
    public GpuInitFailed on(String uuid) {
      return new GpuInitFailed(at, uuid, pci, message, times, sequence);
    }
  }

  /** A GPU's system processor failed so often that the driver stopped logging each error. */
  record GspErrorsSuppressed(
      Instant at, String gpu, String pci, String message, long times, OptionalLong sequence)
      implements Event, DriverError {

    @Override
    public GspErrorsSuppressed merged(DriverError later) {
      return new GspErrorsSuppressed(
          at, gpu, pci, message, times + later.times(), later(sequence, later.sequence()));
    }

    @Override
    public GspErrorsSuppressed on(String uuid) {
      return new GspErrorsSuppressed(at, uuid, pci, message, times, sequence);
    }
  }

  /** NVLinks were not trained; the driver does not name the GPU. */
  record NvlinkTrainingFailed(Instant at, String message, long times, OptionalLong sequence)
      implements Event, DriverError {

    @Override
    public String gpu() {
      return "";
    }

    @Override
    public String pci() {
      return "";
    }

    @Override
    public NvlinkTrainingFailed merged(DriverError later) {
      return new NvlinkTrainingFailed(
          at, message, times + later.times(), later(sequence, later.sequence()));
    }

    @Override
    public NvlinkTrainingFailed on(String uuid) {
      return this;
    }
  }

  private static OptionalLong later(OptionalLong earlier, OptionalLong later) {
    return later.isPresent() ? later : earlier;
  }

  /**
   * Faults of the host of one kind in the kernel log.
   *
   * @param fault {@code oom_kill}; a newer agent may know more kinds
   * @param device as the kernel names it
   * @param component the module in the call trace, {@link #OTHER}, or the driver of the device
   * @param message of the first of them, shortened
   * @param sequence of the last of them in /dev/kmsg
   */
  record HostFault(
      Instant at,
      String fault,
      String device,
      OptionalLong pid,
      String process,
      String component,
      String message,
      long times,
      OptionalLong sequence)
      implements Event, KernelMessage {

    /** The call trace has none of the modules that count. */
    public static final String OTHER = "other";

    /** As this, with another name of the program and another text. */
    public HostFault by(String program, String text) {
      return new HostFault(at, fault, device, pid, program, component, text, times, sequence);
    }

    HostFault merged(HostFault later) {
      return new HostFault(
          at,
          fault,
          device,
          pid,
          process,
          component,
          message,
          times + later.times,
          later.sequence.isPresent() ? later.sequence : sequence);
    }
  }

  /**
   * The position in this boot's kernel log, if no other event has it; {@code lost} messages were
   * overwritten unread.
   */
  record KernelLogRead(Instant at, long sequence, long lost) implements Event {}

  /**
   * A GPU's ECC error counter increased after {@code since}: the aggregate counter, or, with {@code
   * sinceLoad}, the volatile one, which counts from the load of the driver.
   */
  record EccGrowth(
      Instant at,
      Instant since,
      String gpu,
      boolean corrected,
      long from,
      long to,
      boolean sinceLoad)
      implements Event {

    public EccGrowth(Instant at, Instant since, String gpu, boolean corrected, long from, long to) {
      this(at, since, gpu, corrected, from, to, false);
    }

    EccGrowth merged(EccGrowth later) {
      return new EccGrowth(later.at, since, gpu, corrected, from, later.to, sinceLoad);
    }
  }

  /** Rows were remapped. The counts are totals, by kind of error. */
  record RowsRemapped(Instant at, String gpu, long correctable, long uncorrectable)
      implements Event {}

  /** A GPU was first seen, or has another serial of its board; {@code name} is NVML's. */
  record GpuIdentified(Instant at, String gpu, String serial, String name) implements Event {}

  record GpuLost(Instant at, String gpu, String reason) implements Event {}

  record GpuReturned(Instant at, String gpu) implements Event {}

  /** After a boot all expected GPUs answer, and this one of an earlier boot is not among them. */
  record GpuRemoved(Instant at, String gpu) implements Event {}

  /** After a boot all expected GPUs answer, and none of the {@code gone} of earlier boots. */
  record MachineReplaced(Instant at, int gone) implements Event {}

  /** The number of EFA devices in the network class changed, or was first read. */
  record EfaDevicesCounted(Instant at, int devices) implements Event {}

  /** A GPU was reset, as recognised by {@code sign}. */
  record GpuReset(Instant at, String gpu, String sign) implements Event {}

  /**
   * A GPU that waits for a reset; {@code energy}: millijoules since the driver load or reset, less
   * means a reset.
   */
  record GpuSeen(Instant at, String gpu, long energy) implements Event {}

  /**
   * The application that a GPU fault hit has ended; no {@code pid}: no process is left on the GPU.
   */
  record ApplicationEnded(Instant at, String gpu, OptionalLong pid) implements Event {}

  /** A finding was opened; its symptom started at {@code since}. */
  record FindingOpened(
      Instant at,
      Instant since,
      String rule,
      String subject,
      String severity,
      String action,
      String what)
      implements Event {}

  /** An open finding became more severe, or demands more. */
  record FindingEscalated(Instant at, String rule, String subject, String severity, String action)
      implements Event {}

  /** A finding was closed: {@code gone}, {@code reset}, {@code cleared} ... */
  record FindingClosed(Instant at, String rule, String subject, String why) implements Event {}

  /** The verdict on the node or on one GPU changed. */
  record VerdictChanged(Instant at, String subject, String from, String to, String action)
      implements Event {}

  /** An operator acknowledged findings; empty texts mean all. */
  record OperatorCleared(Instant at, String rule, String subject, String note) implements Event {

    public boolean covers(String findingRule, String findingSubject) {
      return (rule.isEmpty() || rule.equals(findingRule))
          && (subject.isEmpty() || subject.equals(findingSubject));
    }
  }

  /** Alerts are not to page or call automation until then, unless ended before. */
  record MaintenanceStarted(Instant at, Instant until, String note) implements Event {}

  record MaintenanceEnded(Instant at, String why) implements Event {}

  /** The agent closes the GPUs until then, unless ended before. */
  record GpusReleased(Instant at, Instant until) implements Event {}

  record GpusReopened(Instant at, String why) implements Event {}

  /** A finding that exists only to try alerts, until then. */
  record TestFinding(
      Instant at,
      Instant until,
      String rule,
      String subject,
      String severity,
      String action,
      String urgency)
      implements Event {}

  record TestFindingEnded(Instant at, String rule, String subject, String why) implements Event {}
}
