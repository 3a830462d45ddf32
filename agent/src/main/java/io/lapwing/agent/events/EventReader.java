package io.lapwing.agent.events;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Makes the event of a line's members; {@link EventWriter} is the other direction. */
final class EventReader {
  private EventReader() {}

  static ParsedLine read(LineMembers line) throws MalformedLine {
    String kind = line.text("kind");
    Optional<Event> event = event(kind, line);
    return event.isPresent()
        ? new ParsedLine.Known(
            event.get(), line.someFlag("carried"), line.someFlag("complete"), line.someFlag("more"))
        : new ParsedLine.UnknownKind(kind, line.someFlag("more"));
  }

  private static Optional<Event> event(String kind, LineMembers line) throws MalformedLine {
    return switch (kind) {
      case "started" -> known(new Event.Started(line.instant("at"), line.text("version")));
      case "booted" -> known(booted(line));
      case "driver_loaded" ->
          known(new Event.DriverLoaded(line.instant("at"), line.text("version")));
      case "xid" -> known(xid(line));
      case "sxid" -> known(sxid(line));
      case "kernel_log_read" -> known(kernelLogRead(line));
      case "ecc_growth" -> known(eccGrowth(line));
      case "rows_remapped" -> known(rowsRemapped(line));
      case "gpu_lost" ->
          known(new Event.GpuLost(line.instant("at"), line.text("gpu"), line.some("reason")));
      case "gpu_returned" -> known(new Event.GpuReturned(line.instant("at"), line.text("gpu")));
      case "gpu_reset" ->
          known(new Event.GpuReset(line.instant("at"), line.text("gpu"), line.some("sign")));
      case "gpu_seen" ->
          known(new Event.GpuSeen(line.instant("at"), line.text("gpu"), line.number("energy")));
      case "application_ended" ->
          known(
              new Event.ApplicationEnded(
                  line.instant("at"), line.text("gpu"), line.someNumber("pid")));
      case "finding_opened" -> known(findingOpened(line));
      case "finding_closed" -> known(findingClosed(line));
      case "verdict_changed" -> known(verdictChanged(line));
      case "operator_cleared" -> known(operatorCleared(line));
      default -> Optional.empty();
    };
  }

  private static Optional<Event> known(Event event) {
    return Optional.of(event);
  }

  private static Event booted(LineMembers line) throws MalformedLine {
    return new Event.Booted(line.instant("at"), line.text("bootId"), line.some("instanceId"));
  }

  private static Event xid(LineMembers line) throws MalformedLine {
    return new Event.Xid(
        line.instant("at"),
        line.some("gpu"),
        line.some("pci"),
        line.someSmall("gpuInstance"),
        line.someSmall("computeInstance"),
        line.small("number"),
        line.someNumber("pid"),
        line.some("process"),
        line.some("message"),
        line.someSmall("cause"),
        origins(line.someList("origins")),
        line.number("times"),
        line.someNumber("sequence"));
  }

  /** Origins that only a newer agent knows are left out. */
  private static Set<Event.Origin> origins(List<?> names) {
    Set<Event.Origin> origins = EnumSet.noneOf(Event.Origin.class);
    for (Event.Origin origin : Event.Origin.values()) {
      if (names.contains(origin.name().toLowerCase(Locale.ROOT))) {
        origins.add(origin);
      }
    }
    return origins;
  }

  private static Event sxid(LineMembers line) throws MalformedLine {
    return new Event.SXid(
        line.instant("at"),
        line.some("device"),
        line.some("pci"),
        line.small("number"),
        line.flag("fatal"),
        line.someSmall("link"),
        line.some("message"),
        line.number("times"),
        line.someNumber("sequence"));
  }

  private static Event kernelLogRead(LineMembers line) throws MalformedLine {
    return new Event.KernelLogRead(
        line.instant("at"), line.number("sequence"), line.number("lost"));
  }

  private static Event eccGrowth(LineMembers line) throws MalformedLine {
    return new Event.EccGrowth(
        line.instant("at"),
        line.instant("since"),
        line.text("gpu"),
        line.flag("corrected"),
        line.number("from"),
        line.number("to"));
  }

  private static Event rowsRemapped(LineMembers line) throws MalformedLine {
    return new Event.RowsRemapped(
        line.instant("at"),
        line.text("gpu"),
        line.number("correctable"),
        line.number("uncorrectable"));
  }

  private static Event findingOpened(LineMembers line) throws MalformedLine {
    return new Event.FindingOpened(
        line.instant("at"),
        line.instant("since", "at"),
        line.text("rule"),
        line.text("subject"),
        line.text("severity"),
        line.text("action"),
        line.some("what"));
  }

  private static Event findingClosed(LineMembers line) throws MalformedLine {
    return new Event.FindingClosed(
        line.instant("at"), line.text("rule"), line.text("subject"), line.some("why"));
  }

  private static Event verdictChanged(LineMembers line) throws MalformedLine {
    return new Event.VerdictChanged(
        line.instant("at"),
        line.text("subject"),
        line.text("from"),
        line.text("to"),
        line.some("action"));
  }

  private static Event operatorCleared(LineMembers line) throws MalformedLine {
    return new Event.OperatorCleared(
        line.instant("at"), line.some("rule"), line.some("subject"), line.some("note"));
  }
}
