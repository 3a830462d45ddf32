package io.lapwing.agent.events;

import io.lapwing.xid.XidDetail;
import io.lapwing.xid.XidDetails;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The kinds of events: name in the log, API and labels; JSON members in order; {@link Compaction}'s
 * key. No reflection or databind: either takes longer to load than the whole log to read.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions have no state
public enum EventKind {
  STARTED(
      Event.Started.class,
      (event, out) -> out.text("version", event.version()),
      in -> new Event.Started(in.instant("at"), in.text("version")),
      event -> ""),
  BOOTED(
      Event.Booted.class,
      (event, out) ->
          out.text("bootId", event.bootId()).textIfPresent("instanceId", event.instanceId()),
      in -> new Event.Booted(in.instant("at"), in.text("bootId"), in.textIfPresent("instanceId")),
      event -> ""),
  DRIVER_LOADED(
      Event.DriverLoaded.class,
      (event, out) -> out.text("version", event.version()),
      in -> new Event.DriverLoaded(in.instant("at"), in.text("version")),
      event -> ""),
  XID(
      Event.Xid.class,
      (event, out) ->
          out.textIfPresent("gpu", event.gpu())
              .textIfPresent("pci", event.pci())
              .number("gpuInstance", event.gpuInstance())
              .number("computeInstance", event.computeInstance())
              .number("number", event.number())
              .number("pid", event.pid())
              .process("process", event.process())
              .message("message", event.message())
              .number("cause", event.cause())
              .origins("origins", event.origins())
              .number("times", event.times())
              .number("sequence", event.sequence()),
      in ->
          new Event.Xid(
              in.instant("at"),
              in.textIfPresent("gpu"),
              in.textIfPresent("pci"),
              in.optionalInt("gpuInstance"),
              in.optionalInt("computeInstance"),
              in.integer("number"),
              in.optionalLong("pid"),
              in.textIfPresent("process"),
              in.textIfPresent("message"),
              in.optionalInt("cause"),
              in.origins("origins"),
              in.number("times"),
              in.optionalLong("sequence")),
      event ->
          event.gpu()
              + ' '
              + event.pci()
              + ' '
              + event.number()
              + ' '
              + XidDetails.distinction(event.number(), event.message())
              + link(event)
              + instance(event)),
  SXID(
      Event.SXid.class,
      (event, out) ->
          out.textIfPresent("device", event.device())
              .textIfPresent("pci", event.pci())
              .number("number", event.number())
              .flag("fatal", event.fatal())
              .number("link", event.link())
              .message("message", event.message())
              .number("times", event.times())
              .number("sequence", event.sequence()),
      in ->
          new Event.SXid(
              in.instant("at"),
              in.textIfPresent("device"),
              in.textIfPresent("pci"),
              in.integer("number"),
              in.flag("fatal"),
              in.optionalInt("link"),
              in.textIfPresent("message"),
              in.number("times"),
              in.optionalLong("sequence")),
      event -> event.device() + ' ' + event.number() + ' ' + event.fatal() + ' ' + event.link()),
  GPU_INIT_FAILED(
      Event.GpuInitFailed.class,
      EventKind::error,
      in ->
          new Event.GpuInitFailed(
              in.instant("at"),
              in.textIfPresent("gpu"),
              in.textIfPresent("pci"),
              in.textIfPresent("message"),
              in.number("times"),
              in.optionalLong("sequence")),
      EventKind::gpu),
  GSP_ERRORS_SUPPRESSED(
      Event.GspErrorsSuppressed.class,
      EventKind::error,
      in ->
          new Event.GspErrorsSuppressed(
              in.instant("at"),
              in.textIfPresent("gpu"),
              in.textIfPresent("pci"),
              in.textIfPresent("message"),
              in.number("times"),
              in.optionalLong("sequence")),
      EventKind::gpu),
  NVLINK_TRAINING_FAILED(
      Event.NvlinkTrainingFailed.class,
      EventKind::error,
      in ->
          new Event.NvlinkTrainingFailed(
              in.instant("at"),
              in.textIfPresent("message"),
              in.number("times"),
              in.optionalLong("sequence")),
      event -> ""),
  HOST_FAULT(
      Event.HostFault.class,
      (event, out) ->
          out.text("fault", event.fault())
              .message("device", event.device())
              .number("pid", event.pid())
              .process("process", event.process())
              .message("component", event.component())
              .message("message", event.message())
              .number("times", event.times())
              .number("sequence", event.sequence()),
      in ->
          new Event.HostFault(
              in.instant("at"),
              in.text("fault"),
              in.textIfPresent("device"),
              in.optionalLong("pid"),
              in.textIfPresent("process"),
              in.textIfPresent("component"),
              in.textIfPresent("message"),
              in.number("times"),
              in.optionalLong("sequence")),
      event -> event.fault() + ' ' + event.device()),
  KERNEL_LOG_READ(
      Event.KernelLogRead.class,
      (event, out) -> out.number("sequence", event.sequence()).number("lost", event.lost()),
      in -> new Event.KernelLogRead(in.instant("at"), in.number("sequence"), in.number("lost")),
      event -> ""),
  ECC_GROWTH(
      Event.EccGrowth.class,
      (event, out) ->
          out.instant("since", event.since())
              .text("gpu", event.gpu())
              .flag("corrected", event.corrected())
              .number("from", event.from())
              .number("to", event.to())
              .flagIfSet("sinceLoad", event.sinceLoad()),
      in ->
          new Event.EccGrowth(
              in.instant("at"),
              in.instant("since"),
              in.text("gpu"),
              in.flag("corrected"),
              in.number("from"),
              in.number("to"),
              in.flagIfPresent("sinceLoad")),
      event -> event.gpu() + ' ' + event.corrected() + ' ' + event.sinceLoad()),
  ROWS_REMAPPED(
      Event.RowsRemapped.class,
      (event, out) ->
          out.text("gpu", event.gpu())
              .number("correctable", event.correctable())
              .number("uncorrectable", event.uncorrectable()),
      in ->
          new Event.RowsRemapped(
              in.instant("at"),
              in.text("gpu"),
              in.number("correctable"),
              in.number("uncorrectable")),
      Event.RowsRemapped::gpu),
  GPU_IDENTIFIED(
      Event.GpuIdentified.class,
      (event, out) ->
          out.text("gpu", event.gpu())
              .message("serial", event.serial())
              .message("name", event.name()),
      in ->
          new Event.GpuIdentified(
              in.instant("at"),
              in.text("gpu"),
              in.textIfPresent("serial"),
              in.textIfPresent("name")),
      event -> event.gpu() + ' ' + event.serial()),
  GPU_LOST(
      Event.GpuLost.class,
      (event, out) -> out.text("gpu", event.gpu()).message("reason", event.reason()),
      in -> new Event.GpuLost(in.instant("at"), in.text("gpu"), in.textIfPresent("reason")),
      Event.GpuLost::gpu),
  GPU_RETURNED(
      Event.GpuReturned.class,
      (event, out) -> out.text("gpu", event.gpu()),
      in -> new Event.GpuReturned(in.instant("at"), in.text("gpu")),
      Event.GpuReturned::gpu),
  GPU_REMOVED(
      Event.GpuRemoved.class,
      (event, out) -> out.text("gpu", event.gpu()),
      in -> new Event.GpuRemoved(in.instant("at"), in.text("gpu")),
      Event.GpuRemoved::gpu),
  MACHINE_REPLACED(
      Event.MachineReplaced.class,
      (event, out) -> out.number("gone", event.gone()),
      in -> new Event.MachineReplaced(in.instant("at"), in.integer("gone")),
      event -> ""),
  EFA_DEVICES_COUNTED(
      Event.EfaDevicesCounted.class,
      (event, out) -> out.number("devices", event.devices()),
      in -> new Event.EfaDevicesCounted(in.instant("at"), in.integer("devices")),
      event -> String.valueOf(event.devices())),
  GPU_RESET(
      Event.GpuReset.class,
      (event, out) -> out.text("gpu", event.gpu()).message("sign", event.sign()),
      in -> new Event.GpuReset(in.instant("at"), in.text("gpu"), in.textIfPresent("sign")),
      Event.GpuReset::gpu),
  GPU_SEEN(
      Event.GpuSeen.class,
      (event, out) -> out.text("gpu", event.gpu()).number("energy", event.energy()),
      in -> new Event.GpuSeen(in.instant("at"), in.text("gpu"), in.number("energy")),
      Event.GpuSeen::gpu),
  APPLICATION_ENDED(
      Event.ApplicationEnded.class,
      (event, out) -> out.text("gpu", event.gpu()).number("pid", event.pid()),
      in -> new Event.ApplicationEnded(in.instant("at"), in.text("gpu"), in.optionalLong("pid")),
      Event.ApplicationEnded::gpu),
  FINDING_OPENED(
      Event.FindingOpened.class,
      (event, out) ->
          out.instantUnless("since", event.since(), event.at())
              .text("rule", event.rule())
              .text("subject", event.subject())
              .text("severity", event.severity())
              .text("action", event.action())
              .message("what", event.what()),
      in ->
          new Event.FindingOpened(
              in.instant("at"),
              in.instant("since", "at"),
              in.text("rule"),
              in.text("subject"),
              in.text("severity"),
              in.text("action"),
              in.textIfPresent("what")),
      event -> event.rule() + ' ' + event.subject()),
  FINDING_ESCALATED(
      Event.FindingEscalated.class,
      (event, out) ->
          out.text("rule", event.rule())
              .text("subject", event.subject())
              .text("severity", event.severity())
              .text("action", event.action()),
      in ->
          new Event.FindingEscalated(
              in.instant("at"),
              in.text("rule"),
              in.text("subject"),
              in.text("severity"),
              in.text("action")),
      event -> event.rule() + ' ' + event.subject() + ' ' + event.action()),
  FINDING_CONFIRMATION(
      Event.FindingConfirmation.class,
      (event, out) ->
          out.text("rule", event.rule())
              .text("subject", event.subject())
              .flag("confirmed", event.confirmed()),
      in ->
          new Event.FindingConfirmation(
              in.instant("at"), in.text("rule"), in.text("subject"), in.flag("confirmed")),
      event -> event.rule() + ' ' + event.subject() + ' ' + event.confirmed()),
  FINDING_CLOSED(
      Event.FindingClosed.class,
      (event, out) ->
          out.text("rule", event.rule())
              .text("subject", event.subject())
              .message("why", event.why()),
      in ->
          new Event.FindingClosed(
              in.instant("at"), in.text("rule"), in.text("subject"), in.textIfPresent("why")),
      event -> event.rule() + ' ' + event.subject()),
  VERDICT_CHANGED(
      Event.VerdictChanged.class,
      (event, out) ->
          out.text("subject", event.subject())
              .text("from", event.from())
              .text("to", event.to())
              .textIfPresent("action", event.action()),
      in ->
          new Event.VerdictChanged(
              in.instant("at"),
              in.text("subject"),
              in.text("from"),
              in.text("to"),
              in.textIfPresent("action")),
      Event.VerdictChanged::subject),
  OPERATOR_CLEARED(
      Event.OperatorCleared.class,
      (event, out) ->
          out.textIfPresent("rule", event.rule())
              .textIfPresent("subject", event.subject())
              .message("note", event.note()),
      in ->
          new Event.OperatorCleared(
              in.instant("at"),
              in.textIfPresent("rule"),
              in.textIfPresent("subject"),
              in.textIfPresent("note")),
      event -> event.rule() + ' ' + event.subject()),
  MAINTENANCE_STARTED(
      Event.MaintenanceStarted.class,
      (event, out) -> out.instant("until", event.until()).message("note", event.note()),
      in ->
          new Event.MaintenanceStarted(
              in.instant("at"), in.instant("until"), in.textIfPresent("note")),
      event -> ""),
  MAINTENANCE_ENDED(
      Event.MaintenanceEnded.class,
      (event, out) -> out.message("why", event.why()),
      in -> new Event.MaintenanceEnded(in.instant("at"), in.textIfPresent("why")),
      event -> ""),
  GPUS_RELEASED(
      Event.GpusReleased.class,
      (event, out) -> out.instant("until", event.until()),
      in -> new Event.GpusReleased(in.instant("at"), in.instant("until")),
      event -> ""),
  GPUS_REOPENED(
      Event.GpusReopened.class,
      (event, out) -> out.message("why", event.why()),
      in -> new Event.GpusReopened(in.instant("at"), in.textIfPresent("why")),
      event -> ""),
  TEST_FINDING(
      Event.TestFinding.class,
      (event, out) ->
          out.instant("until", event.until())
              .text("rule", event.rule())
              .text("subject", event.subject())
              .text("severity", event.severity())
              .text("action", event.action())
              .text("urgency", event.urgency()),
      in ->
          new Event.TestFinding(
              in.instant("at"),
              in.instant("until"),
              in.text("rule"),
              in.text("subject"),
              in.text("severity"),
              in.text("action"),
              in.text("urgency")),
      event -> event.rule() + ' ' + event.subject()),
  TEST_FINDING_ENDED(
      Event.TestFindingEnded.class,
      (event, out) ->
          out.text("rule", event.rule())
              .text("subject", event.subject())
              .message("why", event.why()),
      in ->
          new Event.TestFindingEnded(
              in.instant("at"), in.text("rule"), in.text("subject"), in.textIfPresent("why")),
      event -> event.rule() + ' ' + event.subject());

  private interface Writer<E extends Event> {
    void write(E event, MemberWriter out);
  }

  private interface Reader {
    Event read(MemberReader in) throws MemberReader.MalformedLineException;
  }

  private static final Map<String, EventKind> BY_NAME = new HashMap<>();
  private static final Map<Class<?>, EventKind> BY_TYPE = new HashMap<>();

  static {
    for (EventKind kind : values()) {
      BY_NAME.put(kind.text(), kind);
      BY_TYPE.put(kind.type, kind);
    }
  }

  private final Class<? extends Event> type;
  private final Writer<Event> writer;
  private final Reader reader;
  private final Function<Event, String> key;

  <E extends Event> EventKind(
      Class<E> type, Writer<E> writer, Reader reader, Function<E, String> key) {
    this.type = type;
    this.writer = (event, out) -> writer.write(type.cast(event), out);
    this.reader = reader;
    this.key = event -> key.apply(type.cast(event));
  }

  public static EventKind of(Event event) {
    EventKind kind = BY_TYPE.get(event.getClass());
    if (kind == null) {
      throw new IllegalStateException("no kind for " + event.getClass().getSimpleName());
    }
    return kind;
  }

  /** The kind of that name; empty for a kind of a newer agent. */
  static Optional<EventKind> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The names of all kinds, in alphabetical order. */
  public static List<String> all() {
    return Arrays.stream(values()).map(EventKind::text).sorted().toList();
  }

  /** The name: {@code gpu_lost}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Writes {@code kind}, {@code at} and the members of this kind. */
  void write(Event event, MemberWriter out) {
    out.text("kind", text()).instant("at", event.at());
    writer.write(event, out);
  }

  Event read(MemberReader in) throws MemberReader.MalformedLineException {
    return reader.read(in);
  }

  private static void error(Event.DriverError error, MemberWriter out) {
    out.textIfPresent("gpu", error.gpu())
        .textIfPresent("pci", error.pci())
        .message("message", error.message())
        .number("times", error.times())
        .number("sequence", error.sequence());
  }

  private static String gpu(Event.DriverError event) {
    return event.gpu() + ' ' + event.pci();
  }

  /** The MIG instance of an XID: one of its users must not count as another. */
  private static String instance(Event.Xid xid) {
    return xid.gpuInstance().isPresent() ? " instance " + xid.gpuInstance().getAsInt() : "";
  }

  /** The NVLink of an XID: errors are counted for each. */
  private static String link(Event.Xid xid) {
    XidDetail detail = XidDetails.of(xid.number(), xid.message(), Optional.empty());
    return detail instanceof XidDetail.SmPlace ? "" : XidDetails.place(detail);
  }

  /** Equal for events that may be merged. */
  String groupKey(Event event) {
    return text() + ' ' + key.apply(event);
  }
}
