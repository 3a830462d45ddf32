package io.lapwing.host;

import java.util.OptionalLong;

/** The fault of the host in one kernel message. */
public sealed interface HostMessage {

  /** The longest text that is kept of a message. */
  int MAX_TEXT = 200;

  /**
   * A fault.
   *
   * @param device {@code mc0 CPU_SrcID#0_MC#0_Chan#0_DIMM#0}, {@code nvme1}, {@code cpu3}, {@code
   *     0000:53:00.0}; empty if the message names none
   * @param process the name that the process gave itself; empty if the message names none
   * @param times the count in the message, else 1
   * @param text the message's first line, shortened to {@link #MAX_TEXT}
   */
  record Fault(
      HostFaultKind kind, String device, OptionalLong pid, String process, long times, String text)
      implements HostMessage {

    public Fault {
      int line = text.indexOf('\n');
      String first = line < 0 ? text : text.substring(0, line);
      text = first.substring(0, Math.min(first.length(), MAX_TEXT)).strip();
    }

    static Fault of(HostFaultKind kind, String device, String text) {
      return of(kind, device, 1, text);
    }

    static Fault of(HostFaultKind kind, String device, long times, String text) {
      return new Fault(kind, device, OptionalLong.empty(), "", times, text);
    }
  }

  /** A line of a call trace in a module of interest: {@code nvidia}, {@code lustre}. */
  record Frame(String module) implements HostMessage {}

  /** A line around the frames of a call trace; Linux 5.16 and later mark the task's frames. */
  enum Trace implements HostMessage {
    /** {@code Call Trace:}. */
    STARTS,
    /** {@code <TASK>}. */
    TASK_STARTS,
    /** {@code </TASK>}. */
    TASK_ENDS,
    /** {@code CPU: 17 PID: 20004 Comm: python3}, {@code Hardware name:}. */
    HEADER,
    /** Another message, of NVIDIA's driver or about another task: the trace may be incomplete. */
    INTERRUPTED
  }

  /** The driver of a PCIe device that reported an error; follows the {@link Fault}. */
  record PcieDriver(Fault fault, String driver) implements HostMessage {}
}
