package io.lapwing.agent.replay;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.host.HostMessage;
import io.lapwing.xid.KernelFact;
import java.time.Instant;
import java.util.Optional;

/** Receives the results of a replay, in the order of the log. */
public interface ReplayOutput {

  void event(ReplayedEvent event);

  /** A fault of the host; the verdicts show what it means, which may depend on its count. */
  default void hostFault(Optional<Instant> at, HostMessage.Fault fault) {}

  void verdict(Instant at, Verdict from, Verdict to, Action action, String why);

  /** Another boot starts; its ID is empty where the log has none. */
  void boot(Optional<Instant> at, String id);

  void end(HealthReport last, Counts counts);

  /**
   * What the log consisted of.
   *
   * @param lines that are not blank
   * @param known lines in a known form
   * @param kernel messages of the kernel
   * @param events messages of the driver and of host faults that were parsed
   */
  record Counts(long lines, long known, long kernel, long events) {

    /** Why the verdict is incomplete; empty if it is not. */
    Optional<String> warning() {
      if (known == 0 || kernel == 0) {
        return Optional.empty(); // the verdict is unknown, with a reason
      }
      return 2 * known < lines
          ? Optional.of(
              (lines - known) + " of " + lines + " lines have no known form and were not evaluated")
          : Optional.empty();
    }

    /** Why this log permits no verdict; empty if it does. */
    Optional<String> unreadable() {
      if (known == 0) {
        return Optional.of(
            lines == 0
                ? "the log is empty"
                : "none of the " + lines + " lines has a known form: nothing could be evaluated");
      }
      return kernel == 0
          ? Optional.of(
              "the kernel wrote none of the " + lines + " lines: nothing could be evaluated")
          : Optional.empty();
    }
  }

  /**
   * A fact in a saved kernel log; {@code at} and {@code call} are empty where the log or the policy
   * has none.
   */
  record ReplayedEvent(Optional<Instant> at, KernelFact fact, Optional<Disposition> call) {

    /** {@code xid}, {@code sxid}, {@code off_bus} ... */
    String kind() {
      if (fact instanceof KernelFact.Xid) {
        return "xid";
      }
      if (fact instanceof KernelFact.SXid) {
        return "sxid";
      }
      if (fact instanceof KernelFact.OffBus) {
        return "off_bus";
      }
      if (fact instanceof KernelFact.InitFailed) {
        return "gpu_init_failed";
      }
      if (fact instanceof KernelFact.GspErrorsSuppressed) {
        return "gsp_errors_suppressed";
      }
      if (fact instanceof KernelFact.NvlinkTrainingFailed) {
        return "nvlink_training_failed";
      }
      if (fact instanceof KernelFact.GpuAt) {
        return "gpu_at";
      }
      return fact instanceof KernelFact.BoardSerial ? "board_serial" : "driver_loaded";
    }
  }
}
