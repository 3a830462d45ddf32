package io.lapwing.agent.health.xid;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;
import io.lapwing.xid.XidDetail;
import java.util.function.IntFunction;

/** What one XID means: what the policy says of its number, and what its own words say beyond it. */
final class XidMeaning {

  private static final Call RESET = Call.failing(Action.RESET_GPU, Urgency.NOW);
  private static final Call DRAIN_AND_RESET = Call.degraded(Action.RESET_GPU, Urgency.JOB_END);
  private static final Call WATCH = Call.degraded(Action.WATCH, Urgency.JOB_END);

  private final IntFunction<Call> policy;

  XidMeaning(IntFunction<Call> policy) {
    this.policy = policy;
  }

  /** By its number alone. */
  Call row(int number) {
    return policy.apply(number);
  }

  Call of(int number, XidDetail detail) {
    Call row = row(number);
    if (detail instanceof XidDetail.Containment containment) {
      return containment(row, containment);
    }
    if (detail instanceof XidDetail.RecoveryChange change) {
      return recovery(change);
    }
    if (detail instanceof XidDetail.Nvlink5 link) {
      return nvlink5(row, link);
    }
    return detail instanceof XidDetail.NvlinkRegisters link ? registers(row, link) : row;
  }

  /** The driver's own flags say what is needed at least. */
  private static Call containment(Call row, XidDetail.Containment said) {
    if (said.reset().orElse(false)) {
      return Episode.worse(row, RESET);
    }
    return said.drainAndReset().orElse(false) ? Episode.worse(row, DRAIN_AND_RESET) : row;
  }

  /** Values of {@code nvmlDeviceGpuRecoveryAction_t}. */
  static Call recovery(XidDetail.RecoveryChange change) {
    return switch (change.to()) {
      case 0 -> Call.info();
      case 1 -> RESET;
      case 2 -> Call.failing(Action.REBOOT_NODE, Urgency.NOW);
      case 3, 4 -> DRAIN_AND_RESET;
      default -> WATCH;
    };
  }

  private static Call nvlink5(Call row, XidDetail.Nvlink5 link) {
    return switch (link.resolution()) {
      case IGNORE -> Call.info();
      case XID_154_OR_RESTART_APP -> new Call(Severity.INFO, Action.RESTART_APP, Urgency.NOW);
      case RESET_GPU -> Episode.worse(row, RESET);
      case CHECK_LINK, UNKNOWN -> row;
    };
  }

  private static Call registers(Call row, XidDetail.NvlinkRegisters link) {
    return switch (link.judgement()) {
      case SECONDARY -> Call.info();
      case SIGNAL, HARDWARE_IF_REPEATED -> WATCH;
      case HARDWARE, RESET, UNKNOWN -> row;
    };
  }
}
