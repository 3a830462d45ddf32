package io.lapwing.agent.replay;

import io.lapwing.agent.health.Disposition;
import io.lapwing.xid.KernelFact;
import java.time.Instant;
import java.util.Optional;

/**
 * A fact in a saved kernel log.
 *
 * @param at empty if the log has no time
 * @param call the policy's disposition; empty without one
 */
public record ReplayedEvent(Optional<Instant> at, KernelFact fact, Optional<Disposition> call) {

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
