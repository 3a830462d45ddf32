package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Subject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An apparent application fault in several processes; {@code place} is {@code GPC 1, TPC 3} or
 * {@code MIG instance 7}, empty for the whole GPU.
 */
record Repeat(
    int number,
    String place,
    int processes,
    int programs,
    Instant first,
    Instant last,
    long times,
    Set<Event.Origin> origins) {

  private static final String DIAGNOSE =
      " points to the hardware: run the field diagnostic, or dcgmi diag -r 4, once the node is free.";

  /** Whether both match the pattern of one program that fails on several GPUs. */
  boolean isLike(Repeat other) {
    return number == other.number && (number == Repeats.PAGE_FAULT || place.equals(other.place));
  }

  Detection detection(String gpu, XidRule.Words words) {
    return new Detection(
        Repeats.name(number),
        new Subject.Gpu(gpu),
        programs > 1 ? Disposition.WATCH : Disposition.info(),
        what(words),
        why(),
        "NVIDIA XID catalogue, WORKFLOW_XID_" + number,
        Optional.of(first),
        Optional.of(last),
        times,
        sources());
  }

  private String what(XidRule.Words words) {
    return "XID %s, %s, in %s processes %s"
        .formatted(
            number,
            words.name(number),
            processes,
            place.isEmpty() ? "on this GPU" : "at the same place (" + place + ")");
  }

  private String why() {
    if (programs < 2) {
      return "The processes have the same name: a program that crashes and is started again by its job has this on the same GPU each time. Another program on this GPU shows whether the hardware is at fault.";
    }
    return (place.isEmpty()
            ? "One GPU on which several processes fail, while no other GPU has the error,"
            : "One place where several processes fail, while no other place has the error,")
        + DIAGNOSE;
  }

  private List<String> sources() {
    return origins.stream()
        .map(origin -> origin == Event.Origin.KERNEL ? "kernel log" : "NVML event")
        .toList();
  }
}
