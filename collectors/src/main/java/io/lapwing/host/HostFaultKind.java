package io.lapwing.host;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The kinds of host faults in the kernel log; the texts are label values and part of events. */
public enum HostFaultKind {
  /** EDAC counted corrected errors of a DIMM. */
  MEMORY_CORRECTED,
  MEMORY_UNCORRECTED,
  /** A machine check whose status has no UC bit: a corrected or deferred error. */
  MACHINE_CHECK_CORRECTED,
  MACHINE_CHECK_UNCORRECTED,
  /** A command of an NVMe controller timed out. */
  NVME_TIMEOUT,
  /** An NVMe controller is down, and the driver resets it. */
  NVME_DOWN,
  /** The driver gave an NVMe controller up after a reset that failed. */
  NVME_GONE,
  /** A disk failed to read or write a sector. */
  DISK_ERROR,
  FILESYSTEM_ERROR,
  /** The kernel made a file system read-only after an error. */
  FILESYSTEM_READ_ONLY,
  /** XFS refuses all access to a file system after an error. */
  FILESYSTEM_SHUTDOWN,
  SOFT_LOCKUP,
  RCU_STALL,
  HUNG_TASK,
  OOM_KILL,
  PCIE_CORRECTED,
  PCIE_NON_FATAL,
  PCIE_FATAL,
  /** A network device did not send within the watchdog's time. */
  NETDEV_TIMEOUT;

  private static final Map<String, HostFaultKind> BY_TEXT = new HashMap<>();

  static {
    for (HostFaultKind kind : values()) {
      BY_TEXT.put(kind.text(), kind);
    }
  }

  /** {@code oom_kill}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that text; empty for one of a newer agent. */
  public static Optional<HostFaultKind> of(String text) {
    return Optional.ofNullable(BY_TEXT.get(text));
  }
}
