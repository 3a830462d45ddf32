package io.lapwing.host;

import io.lapwing.host.HostMessage.Fault;
import io.lapwing.host.HostMessage.Frame;
import io.lapwing.host.HostMessage.Trace;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tasks that stall a processor, hang, or are killed for memory.
 *
 * <pre>
 * watchdog: BUG: soft lockup - CPU#18 stuck for 27s! [python3:2254956]
 * rcu: INFO: rcu_sched self-detected stall on CPU
 * INFO: task containerd-shim:931150 blocked for more than 122 seconds.
 * Call Trace:
 *  nvidia_isr+0x1633/0x1a40 [nvidia]
 *  &lt;/TASK&gt;
 * Out of memory: Killed process 9876 (nginx) total-vm:1641384kB, anon-rss:524092kB, ...
 * Memory cgroup out of memory: Killed process 1234 (python) total-vm:...
 * Killed process 1234 (python) total-vm:1641384kB, anon-rss:524092kB, ...
 * </pre>
 *
 * The process chooses its name, at most 15 bytes, which may hold any of the separators; the fields
 * around it bound it. The last form is of kernels before 5.0, which log the reason and a process
 * that they consider (Kill process) before it. Sources: Linux, kernel/watchdog.c,
 * kernel/rcu/tree_stall.h, kernel/hung_task.c, mm/oom_kill.c.
 */
final class TaskLines {

  private static final String NAME = "(.{1,15})";
  private static final String PID = "(\\d{1,10})";

  private static final Pattern SOFT_LOCKUP =
      Pattern.compile(
          "(?:NMI )?(?:watchdog: )?BUG: soft lockup - CPU#(\\d{1,5}) stuck for \\d{1,9}s! \\["
              + NAME
              + ":"
              + PID
              + "\\]",
          Pattern.DOTALL);
  private static final Pattern RCU =
      Pattern.compile(
          "(?:rcu: )?INFO: (rcu_[a-z_]{1,20}) (?:self-detected stall on CPU|detected (?:expedited )?stalls on CPUs)");
  private static final Pattern HUNG =
      Pattern.compile(
          "INFO: task "
              + NAME
              + ":"
              + PID
              + " blocked (?:in I/O wait |on an? [a-z-]{1,20} )?for more than \\d{1,9} seconds\\.",
          Pattern.DOTALL);
  private static final Pattern KILLED =
      Pattern.compile(
          "(Out of memory|Memory cgroup out of memory)(?: \\(oom_kill_allocating_task\\))?:"
              + " Killed process "
              + PID
              + " \\((.{0,15})\\)(?=[ ,.]|$)",
          Pattern.DOTALL);

  /** A process name of 15 bytes ends before the pid, and no message has digits after its name. */
  private static final Pattern KILLED_BEFORE_5_0 =
      Pattern.compile(
          "Killed process " + PID + " \\((.{0,15})\\) total-vm:\\d{1,18}kB, anon-rss:\\d",
          Pattern.DOTALL);

  /** Frames that the kernel marks with a question mark are leftovers on the stack. */
  private static final Pattern FRAME =
      Pattern.compile(
          " *(?:\\[<[0-9a-f]{1,16}>\\] )?[A-Za-z_][\\w.]{0,99}\\+0x[0-9a-f]{1,8}/0x[0-9a-f]{1,8}"
              + " \\[(nvidia\\w{0,20}|lustre|ptlrpc|obdclass|osc|mdc|lnet|efa)(?: [0-9a-f]{40})?\\]");

  private static final Pattern HEADER =
      Pattern.compile(
          "CPU: \\d{1,5} (?:UID: \\d{1,10} )?PID: \\d{1,10} Comm: .*|Hardware name: .*",
          Pattern.DOTALL);

  /** The driver's messages, and {@code INFO: task python:77 is blocked on a mutex}. */
  private static final Pattern NOT_IN_TRACE =
      Pattern.compile("(?:NVRM: |nvidia-nvswitch\\d|INFO: task ).*", Pattern.DOTALL);

  private TaskLines() {}

  static Optional<HostMessage> read(String text) {
    Matcher hung = HUNG.matcher(text);
    if (hung.lookingAt()) {
      return fault(HostFaultKind.HUNG_TASK, "", hung.group(2), hung.group(1), text);
    }
    Matcher killed = KILLED.matcher(text);
    if (killed.lookingAt()) {
      String where = killed.group(1).startsWith("Memory cgroup") ? "cgroup" : "node";
      return fault(HostFaultKind.OOM_KILL, where, killed.group(2), killed.group(3), text);
    }
    Matcher before5 = KILLED_BEFORE_5_0.matcher(text);
    if (before5.lookingAt()) {
      return fault(HostFaultKind.OOM_KILL, "", before5.group(1), before5.group(2), text);
    }
    Matcher soft = SOFT_LOCKUP.matcher(text);
    if (soft.lookingAt()) {
      String cpu = "cpu" + soft.group(1);
      return fault(HostFaultKind.SOFT_LOCKUP, cpu, soft.group(3), soft.group(2), text);
    }
    Matcher rcu = RCU.matcher(text);
    if (rcu.lookingAt()) {
      return Optional.of(Fault.of(HostFaultKind.RCU_STALL, rcu.group(1), text));
    }
    Matcher frame = FRAME.matcher(text);
    return frame.lookingAt() ? Optional.of(new Frame(frame.group(1))) : trace(text);
  }

  private static Optional<HostMessage> trace(String text) {
    Optional<Trace> trace =
        switch (text.strip()) {
          case "Call Trace:", "Call trace:" -> Optional.of(Trace.STARTS);
          case "<TASK>" -> Optional.of(Trace.TASK_STARTS);
          case "</TASK>" -> Optional.of(Trace.TASK_ENDS);
          default ->
              HEADER.matcher(text).matches()
                  ? Optional.of(Trace.HEADER)
                  : Optional.of(Trace.INTERRUPTED).filter(mark -> isOther(text));
        };
    return trace.map(HostMessage.class::cast);
  }

  private static boolean isOther(String text) {
    return NOT_IN_TRACE.matcher(text).matches();
  }

  private static Optional<HostMessage> fault(
      HostFaultKind kind, String device, String pid, String process, String text) {
    return Optional.of(
        new Fault(kind, device, OptionalLong.of(Long.parseLong(pid)), process, 1, text));
  }
}
