package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;
import io.lapwing.xid.XidDetail;
import java.util.function.IntFunction;

/** The policy's row for an XID, refined by the details in its message. */
final class XidMeaning {

  private static final Disposition RESET = Disposition.failing(Action.RESET_GPU, Urgency.NOW);
  private static final Disposition DRAIN_AND_RESET =
      Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END);
  private final IntFunction<Disposition> policy;

  XidMeaning(IntFunction<Disposition> policy) {
    this.policy = policy;
  }

  /** By its number alone. */
  Disposition row(int number) {
    return policy.apply(number);
  }

  Disposition of(int number, XidDetail detail) {
    Disposition row = row(number);
    if (detail instanceof XidDetail.Containment containment) {
      return containment(row, containment);
    }
    if (detail instanceof XidDetail.RecoveryChange change) {
      return recovery(change);
    }
    if (detail instanceof XidDetail.Nvlink5 link) {
      return nvlink5(row, link);
    }
    if (detail instanceof XidDetail.Nvlink5Unreadable link) {
      return undecoded(row, link.fatal());
    }
    return detail instanceof XidDetail.NvlinkRegisters link ? registers(row, link) : row;
  }

  /** The driver's own flags give the minimum action. */
  private static Disposition containment(Disposition row, XidDetail.Containment flags) {
    if (flags.reset().orElse(false)) {
      return new Disposition(Severity.FAILING, Incident.worse(row, RESET).action(), Urgency.NOW);
    }
    return flags.drainAndReset().orElse(false) ? Incident.worse(row, DRAIN_AND_RESET) : row;
  }

  /** Values of {@code nvmlDeviceGpuRecoveryAction_t}. */
  static Disposition recovery(XidDetail.RecoveryChange change) {
    return switch (change.to()) {
      case 0 -> Disposition.info();
      case 1 -> RESET;
      case 2 -> Disposition.failing(Action.REBOOT_NODE, Urgency.NOW);
      case 3, 4 -> DRAIN_AND_RESET;
      default -> Disposition.WATCH;
    };
  }

  private static Disposition nvlink5(Disposition row, XidDetail.Nvlink5 link) {
    return switch (link.resolution()) {
      case IGNORE -> Disposition.info();
      case XID_154_OR_RESTART_APP ->
          new Disposition(Severity.INFO, Action.RESTART_APP, Urgency.NOW);
      case RESET_GPU -> Incident.worse(row, RESET);
      case CHECK_LINK -> row;
      case UNKNOWN -> undecoded(row, link.fatal());
    };
  }

  /** A fatal error stops the link until a reset, whatever its registers mean. */
  private static Disposition undecoded(Disposition row, boolean fatal) {
    return fatal ? Incident.worse(row, RESET) : row;
  }

  private static Disposition registers(Disposition row, XidDetail.NvlinkRegisters link) {
    return switch (link.judgement()) {
      case SECONDARY -> Disposition.info();
      case SIGNAL, HARDWARE_IF_REPEATED -> Disposition.WATCH;
      case HARDWARE, RESET, UNKNOWN -> row;
    };
  }
}
