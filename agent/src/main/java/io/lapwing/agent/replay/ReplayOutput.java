package io.lapwing.agent.replay;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.xid.KernelFact;
import java.time.Instant;
import java.util.Optional;

/** Receives the results of a replay, in the order of the log. */
public interface ReplayOutput {

  /** A message of the driver. */
  void event(ReplayedEvent event);

  /** The verdict on the node changed. */
  void verdict(Instant at, Verdict from, Verdict to, Action action, String why);

  /**
   * The log has ended.
   *
   * @param last the report at the end
   * @param lines of the log
   * @param events lines of the driver that were parsed
   */
  void end(HealthReport last, long lines, long events);

  /**
   * A fact in a saved kernel log.
   *
   * @param at empty if the log has no time
   * @param call the policy's disposition; empty without one
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
      if (fact instanceof KernelFact.GpuAt) {
        return "gpu_at";
      }
      return fact instanceof KernelFact.BoardSerial ? "board_serial" : "driver_loaded";
    }
  }
}
