package io.lapwing.nvml;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.EventData;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** An event set with the XID events of some GPUs. */
final class JnaEvents implements NvmlEvents {

  /** {@code nvmlEventTypeXidCriticalError}. */
  private static final long XID = 0x8;

  private static final int NO_INSTANCE = -1;

  private final NvmlLibrary library;
  private final Pointer set;
  private final Map<Pointer, Integer> indexes = new HashMap<>();
  private final NativeCalls calls = new NativeCalls();
  private final Out out = new Out(EventData.SIZE);

  private JnaEvents(NvmlLibrary library, Pointer set) {
    this.library = library;
    this.set = set;
  }

  /** Skips GPUs without XID events; a set without any GPU is unsupported. */
  static Reading<NvmlEvents> open(NvmlLibrary library, List<NvmlGpu> gpus) {
    PointerByReference set = new PointerByReference();
    Reading<JnaEvents> opened =
        new NativeCalls()
            .call(
                "nvmlEventSetCreate",
                () -> library.nvmlEventSetCreate(set),
                () -> new JnaEvents(library, set.getValue()));
    if (!(opened instanceof Reading.Present<JnaEvents> present)) {
      return opened.map(NvmlEvents.class::cast);
    }
    JnaEvents events = present.value();
    gpus.forEach(events::register);
    if (events.indexes.isEmpty()) {
      events.close();
      return new Reading.Unsupported<>("nvmlDeviceRegisterEvents");
    }
    return Reading.of(events);
  }

  private void register(NvmlGpu gpu) {
    Pointer device = JnaNvml.handleOf(gpu);
    NativeCalls perGpu = new NativeCalls();
    perGpu
        .call(
            "nvmlDeviceGetSupportedEventTypes",
            () -> library.nvmlDeviceGetSupportedEventTypes(device, out.start()),
            out::int64)
        .toOptional()
        .filter(supported -> (supported & XID) != 0)
        .flatMap(
            supported ->
                perGpu
                    .call(
                        "nvmlDeviceRegisterEvents",
                        () -> library.nvmlDeviceRegisterEvents(device, XID, set),
                        () -> true)
                    .toOptional())
        .ifPresent(registered -> indexes.put(device, gpu.index()));
  }

  @Override
  public Reading<Optional<Xid>> await(Duration timeout) {
    int millis = Math.toIntExact(timeout.toMillis());
    Reading<Optional<Xid>> event =
        calls
            .call(
                "nvmlEventSetWait_v2",
                () -> library.nvmlEventSetWait_v2(set, out.start(), millis),
                () -> xid(instance()))
            .or(
                () ->
                    calls.call(
                        "nvmlEventSetWait",
                        () -> library.nvmlEventSetWait(set, out.start(), millis),
                        () -> xid(OptionalInt.empty())));
    boolean timedOut = event.failure().filter(NvmlReturn.TIMEOUT.reason()::equals).isPresent();
    return timedOut ? Reading.of(Optional.empty()) : event;
  }

  /** The first version's struct ends before it. */
  private OptionalInt instance() {
    int id = out.start().getInt(EventData.GPU_INSTANCE_ID);
    return id == NO_INSTANCE ? OptionalInt.empty() : OptionalInt.of(id);
  }

  private Optional<Xid> xid(OptionalInt instance) {
    Integer gpu = indexes.get(out.start().getPointer(EventData.DEVICE));
    if (gpu == null || out.int64(EventData.EVENT_TYPE) != XID) {
      return Optional.empty();
    }
    return Optional.of(new Xid(gpu, out.int64(EventData.EVENT_DATA), instance));
  }

  @Override
  public void close() {
    calls.call("nvmlEventSetFree", () -> library.nvmlEventSetFree(set), () -> true);
  }
}
