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

  void event(ReplayedEvent event);

  void verdict(Instant at, Verdict from, Verdict to, Action action, String why);

  /** The log has ended; {@code events} of its lines were parsed. */
  void end(HealthReport last, long lines, long events);

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
      if (fact instanceof KernelFact.GpuAt) {
        return "gpu_at";
      }
      return fact instanceof KernelFact.BoardSerial ? "board_serial" : "driver_loaded";
    }
  }
}
