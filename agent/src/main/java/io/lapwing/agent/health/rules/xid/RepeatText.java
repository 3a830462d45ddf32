package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Subject;
import java.util.List;
import java.util.Optional;

/** A repeated XID as a finding. */
final class RepeatText {

  private static final Disposition CALL = Disposition.WATCH;

  private static final String DIAGNOSE =
      " points to the hardware: run the field diagnostic, or dcgmi diag -r 4, once the node is free.";

  private RepeatText() {}

  static Detection detection(String gpu, Repeat repeat, XidWords words) {
    return new Detection(
        Repeats.name(repeat.number()),
        new Subject.Gpu(gpu),
        CALL,
        what(repeat, words),
        why(repeat),
        "NVIDIA XID catalogue, WORKFLOW_XID_" + repeat.number(),
        Optional.of(repeat.first()),
        Optional.of(repeat.last()),
        repeat.times(),
        sources(repeat));
  }

  private static String what(Repeat repeat, XidWords words) {
    return "XID "
        + repeat.number()
        + ", "
        + words.name(repeat.number())
        + ", in "
        + repeat.processes()
        + " processes "
        + (repeat.place().isEmpty() ? "on this GPU" : "at the same place (" + repeat.place() + ")");
  }

  private static String why(Repeat repeat) {
    return (repeat.place().isEmpty()
            ? "One GPU on which several processes fail, while no other GPU has the error,"
            : "One place where several processes fail, while no other place has the error,")
        + DIAGNOSE;
  }

  private static List<String> sources(Repeat repeat) {
    return repeat.origins().stream()
        .map(origin -> origin == Event.Origin.KERNEL ? "kernel log" : "NVML event")
        .toList();
  }
}
