package io.lapwing.agent.replay;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.common.text.Paragraph;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import io.lapwing.host.HostMessage;
import io.lapwing.xid.KernelFact;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A replay as lines for people.
 *
 * <pre>
 * 2026-11-20 03:12:44Z  XID 79   0000:53:00  failing, replace_node, now  pid 7194 python3: GPU has fallen off the bus.
 * 2026-11-20 03:12:44Z  VERDICT  healthy -> failing, replace_node: GPU has fallen off the bus
 * </pre>
 */
public final class ReplayText implements ReplayOutput {

  private static final String NO_TIME = " ".repeat("2026-11-20 03:12:44Z".length());

  private final PrintStream out;

  public ReplayText(PrintStream out) {
    this.out = out;
  }

  @Override
  public void event(ReplayedEvent event) {
    KernelFact fact = event.fact();
    String line =
        String.format(
            Locale.ROOT,
            "%s  %-10s %-20s %-32s %s",
            event.at().map(TimeText::moment).orElse(NO_TIME),
            name(fact),
            place(fact),
            event.call().map(ReplayText::call).orElse(""),
            PlainText.of(words(fact)));
    out.print(line.stripTrailing() + "\n");
  }

  @Override
  public void hostFault(Optional<Instant> at, HostMessage.Fault fault) {
    String line =
        String.format(
            Locale.ROOT,
            "%s  %-10s %-20s %-32s %s",
            at.map(TimeText::moment).orElse(NO_TIME),
            "host",
            PlainText.of(fault.device()),
            fault.kind().text(),
            PlainText.of(fault.text()));
    out.print(line.stripTrailing() + "\n");
  }

  private static String name(KernelFact fact) {
    if (fact instanceof KernelFact.Xid xid) {
      return "XID " + xid.number();
    }
    if (fact instanceof KernelFact.SXid sxid) {
      return "SXid " + sxid.number();
    }
    if (fact instanceof KernelFact.OffBus) {
      return "off bus";
    }
    if (fact instanceof KernelFact.InitFailed) {
      return "GPU init";
    }
    if (fact instanceof KernelFact.GspErrorsSuppressed) {
      return "GSP errors";
    }
    if (fact instanceof KernelFact.NvlinkTrainingFailed) {
      return "NVLink";
    }
    if (fact instanceof KernelFact.GpuAt) {
      return "GPU";
    }
    return fact instanceof KernelFact.BoardSerial ? "board" : "driver";
  }

  private static String place(KernelFact fact) {
    if (fact instanceof KernelFact.Xid xid) {
      return xid.pci() + instances(xid);
    }
    if (fact instanceof KernelFact.SXid sxid) {
      return PlainText.of(sxid.device());
    }
    if (fact instanceof KernelFact.OffBus offBus) {
      return offBus.pci().toString();
    }
    if (fact instanceof KernelFact.InitFailed failed) {
      return failed.pci().toString();
    }
    if (fact instanceof KernelFact.GspErrorsSuppressed gsp) {
      return gsp.pci().toString();
    }
    return fact instanceof KernelFact.GpuAt gpu ? gpu.pci().toString() : "";
  }

  private static String instances(KernelFact.Xid xid) {
    return (xid.gpuInstance().isPresent() ? " GI" + xid.gpuInstance().getAsInt() : "")
        + (xid.computeInstance().isPresent() ? " CI" + xid.computeInstance().getAsInt() : "");
  }

  private static String words(KernelFact fact) {
    if (fact instanceof KernelFact.Xid xid) {
      return process(xid) + xid.message();
    }
    if (fact instanceof KernelFact.SXid sxid) {
      return sxid.fatal().map(fatal -> fatal ? "fatal: " : "not fatal: ").orElse("")
          + (sxid.link().isPresent() ? "link " + sxid.link().getAsInt() + " " : "")
          + sxid.message();
    }
    if (fact instanceof KernelFact.OffBus offBus) {
      return offBus.message();
    }
    if (fact instanceof KernelFact.InitFailed failed) {
      return failed.message();
    }
    if (fact instanceof KernelFact.GspErrorsSuppressed gsp) {
      return gsp.message();
    }
    if (fact instanceof KernelFact.NvlinkTrainingFailed links) {
      return links.message();
    }
    if (fact instanceof KernelFact.GpuAt gpu) {
      return gpu.uuid();
    }
    return fact instanceof KernelFact.BoardSerial board
        ? "serial " + board.serial()
        : "version " + ((KernelFact.DriverLoaded) fact).version();
  }

  private static String process(KernelFact.Xid xid) {
    List<String> parts = new ArrayList<>();
    xid.pid().ifPresent(pid -> parts.add("pid " + pid));
    xid.process().ifPresent(parts::add);
    return parts.isEmpty() ? "" : String.join(" ", parts) + ": ";
  }

  private static String call(Disposition call) {
    return call.action() == Action.NONE
        ? call.severity().text()
        : call.severity().text() + ", " + call.action().text() + ", " + when(call.urgency());
  }

  private static String when(Urgency urgency) {
    return urgency == Urgency.NOW ? "now" : "job end";
  }

  @Override
  public void verdict(Instant at, Verdict from, Verdict to, Action action, String why) {
    out.print(
        TimeText.moment(at)
            + "  VERDICT    "
            + from.text()
            + " -> "
            + to.text()
            + (action == Action.NONE ? "" : ", " + action.text())
            + ": "
            + PlainText.of(why)
            + "\n");
  }

  @Override
  public void boot(Optional<Instant> at, String id) {
    String line = at.map(TimeText::moment).orElse(NO_TIME) + "  boot       " + id;
    out.print(line.stripTrailing() + "\n");
  }

  @Override
  public void end(HealthReport last, Counts counts) {
    out.print(
        "\n"
            + counts.lines()
            + " lines, "
            + counts.known()
            + " in a known form, "
            + counts.kernel()
            + " of the kernel, "
            + counts.events()
            + " messages of the driver and of host faults, profile "
            + PlainText.of(last.profile())
            + "\n"
            + counts.warning().map(text -> Paragraph.of("Warning: ", "  ", text)).orElse("")
            + "At the end: "
            + last.verdict().name()
            + (last.action() == Action.NONE ? "" : ", " + last.action().text())
            + "\n"
            + Paragraph.of("", "", last.summary()));
    for (Finding finding : last.findings()) {
      out.print(
          Paragraph.of(
              "- ",
              "  ",
              call(finding.disposition())
                  + ": "
                  + last.name(finding.subject())
                  + ": "
                  + finding.detection().what()
                  + " ("
                  + finding.rule()
                  + ", "
                  + (finding.detection().times() > 1
                      ? finding.detection().times() + " times, "
                      : "")
                  + "since "
                  + TimeText.moment(finding.since())
                  + ")"));
    }
    out.flush();
  }
}
