package io.lapwing.host;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Parses messages of the kernel about faults of the host. A message counts only in the exact form
 * of the kernel's source, from its first character; no message makes it throw. The caller has
 * checked that the kernel wrote it.
 *
 * <p>Users choose up to 15 bytes at the start of some messages of the kernel, the name of a process
 * ({@code NAME[123]: segfault at ... in FILE}), and all of a file's name in them. No such message
 * is accepted.
 */
public final class HostMessages {

  /** ASCII; each message of interest contains one of them. */
  public static final List<String> WORDS =
      List.of(
          "EDAC MC",
          "[Hardware Error]",
          "mce: Uncorrected",
          "nvme nvme",
          " error, dev ",
          "EXT4-fs",
          "XFS (",
          "BTRFS",
          "soft lockup",
          "INFO: rcu",
          " blocked ",
          "Killed process",
          " AER: ",
          "PCIe Bus Error",
          "NETDEV WATCHDOG",
          "Call Trace:",
          "Call trace:",
          "TASK>",
          "CPU: ",
          "Hardware name: ",
          " [nvidia",
          " [lustre",
          " [ptlrpc",
          " [obdclass",
          " [osc",
          " [mdc",
          " [lnet",
          " [efa");

  /**
   * {@code NAME[123]: segfault}, {@code NAME invoked oom-killer}, {@code NAME: page allocation}.
   */
  private static final Pattern STARTS_WITH_PROCESS =
      Pattern.compile(
          ".{0,15}(?:\\[\\d+\\]|\\(\\d+\\)|: page allocation| invoked oom-killer)", Pattern.DOTALL);

  private static final List<Function<String, Optional<HostMessage>>> PARSERS =
      List.of(MemoryLines::read, StorageLines::read, TaskLines::read, DeviceLines::read);

  private HostMessages() {}

  /** Parses a kernel message, without the log's prefix; empty if it reports no fault. */
  public static Optional<HostMessage> read(String message) {
    if (STARTS_WITH_PROCESS.matcher(message).lookingAt()) {
      return Optional.empty();
    }
    for (Function<String, Optional<HostMessage>> parser : PARSERS) {
      Optional<HostMessage> found = parser.apply(message);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
