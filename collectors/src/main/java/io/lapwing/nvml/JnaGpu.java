package io.lapwing.nvml;

import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlStructs.Bar1Memory;
import io.lapwing.nvml.NvmlStructs.EccSramErrorStatus;
import io.lapwing.nvml.NvmlStructs.GpuFabricInfo;
import io.lapwing.nvml.NvmlStructs.GpuFabricInfoV2;
import io.lapwing.nvml.NvmlStructs.GpuFabricInfoV3;
import io.lapwing.nvml.NvmlStructs.MarginTemperature;
import io.lapwing.nvml.NvmlStructs.MemoryV2;
import io.lapwing.nvml.NvmlStructs.PciInfo;
import io.lapwing.nvml.NvmlStructs.PlatformInfoV2;
import io.lapwing.nvml.NvmlStructs.RowRemapperHistogramValues;
import io.lapwing.nvml.NvmlStructs.Temperature;
import io.lapwing.nvml.NvmlStructs.UnrepairableMemoryStatus;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One GPU through JNA: the only class that maps calls to out-parameters and structs. */
@SuppressWarnings("EnumOrdinal") // the enums of NvmlGpu mirror C enums, value for value
final class JnaGpu implements NvmlGpu {

  private static final int ALL_ONES = -1;

  /** The longest out-parameter; the batch, GPM and the process list have their own memory. */
  private static final int OUT_BYTES = 256;

  private static final int P2P_OVER_NVLINK = 2;
  private static final int CORE_SENSOR = 0;

  private final NvmlLibrary library;
  private final Pointer device;
  private final int index;
  private final Set<String> missing;
  private final NativeCalls calls = new NativeCalls();
  private final Out out = new Out(OUT_BYTES);
  private final Room room = new Room();
  private final FieldBatch batch;
  private final GpmSampler sampler;
  private final LongSupplier nanoTime;
  private final MigDevices mig;
  private final VgpuDevices vgpus;

  /** By the id of a GPU instance. */
  private final Map<Integer, GpmSampler> instances = new HashMap<>();

  /** As they were read last, by the id of the GPU instance. */
  private Map<Integer, MigDevice> divided = Map.of();

  private Optional<MigMode> mode = Optional.empty();

  JnaGpu(
      NvmlLibrary library, Pointer device, int index, Set<String> missing, LongSupplier nanoTime) {
    this.library = library;
    this.device = device;
    this.index = index;
    this.missing = missing;
    this.batch = new FieldBatch(library, device, room);
    this.sampler = new GpmSampler(library, device, nanoTime);
    this.nanoTime = nanoTime;
    this.mig = new MigDevices(library, device);
    this.vgpus = new VgpuDevices(library, device);
  }

  Pointer handle() {
    return device;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public FieldValues fields(Collection<FieldKey> keys) {
    return batch.read(keys);
  }

  @Override
  public Reading<GpmValues> gpm(Collection<GpmMetric> metrics) {
    return noteMissing(sampler.read(metrics));
  }

  @Override
  public Reading<GpmValues> gpm(int gpuInstance, Collection<GpmMetric> metrics) {
    return noteMissing(
        instances
            .computeIfAbsent(
                gpuInstance, id -> GpmSampler.ofInstance(library, device, id, nanoTime))
            .read(metrics));
  }

  @Override
  public Reading<String> name() {
    return text("nvmlDeviceGetName", 96, library::nvmlDeviceGetName);
  }

  @Override
  public Reading<String> uuid() {
    return text("nvmlDeviceGetUUID", 96, library::nvmlDeviceGetUUID);
  }

  @Override
  public Reading<String> serial() {
    return text("nvmlDeviceGetSerial", 30, library::nvmlDeviceGetSerial);
  }

  @Override
  public Reading<String> pciBusId() {
    return call(
        "nvmlDeviceGetPciInfo_v3",
        () -> library.nvmlDeviceGetPciInfo_v3(device, out.start()),
        () -> out.string(PciInfo.BUS_ID, PciInfo.SIZE - PciInfo.BUS_ID));
  }

  @Override
  public Reading<Integer> minorNumber() {
    return number("nvmlDeviceGetMinorNumber", library::nvmlDeviceGetMinorNumber);
  }

  @Override
  public Reading<String> vbiosVersion() {
    return text("nvmlDeviceGetVbiosVersion", 32, library::nvmlDeviceGetVbiosVersion);
  }

  @Override
  public Reading<Integer> brand() {
    return number("nvmlDeviceGetBrand", library::nvmlDeviceGetBrand);
  }

  @Override
  public Reading<String> inforomImageVersion() {
    return text("nvmlDeviceGetInforomImageVersion", 16, library::nvmlDeviceGetInforomImageVersion);
  }

  @Override
  public Reading<String> inforomVersion(InforomObject object) {
    return text(
        "nvmlDeviceGetInforomVersion " + object,
        16,
        (gpu, into, length) ->
            library.nvmlDeviceGetInforomVersion(gpu, object.ordinal(), into, length));
  }

  @Override
  public Reading<Long> inforomChecksum() {
    return number(
            "nvmlDeviceGetInforomConfigurationChecksum",
            library::nvmlDeviceGetInforomConfigurationChecksum)
        .map(Integer::toUnsignedLong);
  }

  /** The return code is the result here: CORRUPTED_INFOROM is not a failure. */
  @Override
  public Reading<Boolean> inforomValid() {
    Reading<Boolean> valid =
        call(
            "nvmlDeviceValidateInforom",
            () -> library.nvmlDeviceValidateInforom(device),
            () -> true);
    return valid.failure().filter(NvmlReturn.CORRUPTED_INFOROM.reason()::equals).isPresent()
        ? Reading.of(false)
        : valid;
  }

  @Override
  public Reading<Integer> temperature() {
    return plausible(
            "nvmlDeviceGetTemperatureV",
            call(
                "nvmlDeviceGetTemperatureV",
                () -> library.nvmlDeviceGetTemperatureV(device, out.struct(Temperature.SIZE, 1)),
                () -> out.int32(Temperature.TEMPERATURE)))
        .or(
            () ->
                number(
                    "nvmlDeviceGetTemperature",
                    () -> library.nvmlDeviceGetTemperature(device, CORE_SENSOR, out.start())));
  }

  @Override
  public Reading<Integer> marginTemperature() {
    return call(
        "nvmlDeviceGetMarginTemperature",
        () -> library.nvmlDeviceGetMarginTemperature(device, out.struct(MarginTemperature.SIZE, 1)),
        () -> out.int32(MarginTemperature.MARGIN_TEMPERATURE));
  }

  @Override
  public Reading<Integer> temperatureThreshold(TemperatureThreshold threshold) {
    return number(
        Questions.THRESHOLDS.get(threshold.ordinal()),
        threshold,
        library::nvmlDeviceGetTemperatureThreshold);
  }

  @Override
  public Reading<Integer> powerUsage() {
    return number("nvmlDeviceGetPowerUsage", library::nvmlDeviceGetPowerUsage);
  }

  @Override
  public Reading<Integer> enforcedPowerLimit() {
    return number("nvmlDeviceGetEnforcedPowerLimit", library::nvmlDeviceGetEnforcedPowerLimit);
  }

  @Override
  public Reading<Integer> powerManagementLimit() {
    return number("nvmlDeviceGetPowerManagementLimit", library::nvmlDeviceGetPowerManagementLimit);
  }

  @Override
  public Reading<Integer> powerManagementDefaultLimit() {
    return number(
        "nvmlDeviceGetPowerManagementDefaultLimit",
        library::nvmlDeviceGetPowerManagementDefaultLimit);
  }

  @Override
  public Reading<PowerRange> powerManagementLimitConstraints() {
    return call(
        "nvmlDeviceGetPowerManagementLimitConstraints",
        () ->
            library.nvmlDeviceGetPowerManagementLimitConstraints(device, out.start(), out.second()),
        () -> new PowerRange(out.int32(), out.secondInt32()));
  }

  @Override
  public Reading<Integer> clock(Clock clock) {
    return number(Questions.CLOCKS.get(clock.ordinal()), clock, library::nvmlDeviceGetClockInfo);
  }

  @Override
  public Reading<Integer> maxClock(Clock clock) {
    return number(
        Questions.MAX_CLOCKS.get(clock.ordinal()), clock, library::nvmlDeviceGetMaxClockInfo);
  }

  @Override
  public Reading<Integer> applicationsClock(Clock clock) {
    return number(
        Questions.SET_CLOCKS.get(clock.ordinal()), clock, library::nvmlDeviceGetApplicationsClock);
  }

  @Override
  public Reading<Integer> performanceState() {
    return number("nvmlDeviceGetPerformanceState", library::nvmlDeviceGetPerformanceState);
  }

  @Override
  public Reading<Long> clockEventReasons() {
    return call(
            "nvmlDeviceGetCurrentClocksEventReasons",
            () -> library.nvmlDeviceGetCurrentClocksEventReasons(device, out.start()),
            out::int64)
        .or(
            () ->
                call(
                    "nvmlDeviceGetCurrentClocksThrottleReasons",
                    () -> library.nvmlDeviceGetCurrentClocksThrottleReasons(device, out.start()),
                    out::int64));
  }

  @Override
  public Reading<Utilization> utilization() {
    return call(
        "nvmlDeviceGetUtilizationRates",
        () -> library.nvmlDeviceGetUtilizationRates(device, out.start()),
        () ->
            new Utilization(
                out.int32(NvmlStructs.Utilization.GPU), out.int32(NvmlStructs.Utilization.MEMORY)));
  }

  @Override
  public Reading<Integer> encoderUtilization() {
    return number(
        "nvmlDeviceGetEncoderUtilization",
        () -> library.nvmlDeviceGetEncoderUtilization(device, out.start(), out.second()));
  }

  @Override
  public Reading<Integer> decoderUtilization() {
    return number(
        "nvmlDeviceGetDecoderUtilization",
        () -> library.nvmlDeviceGetDecoderUtilization(device, out.start(), out.second()));
  }

  @Override
  public Reading<Memory> memory() {
    return call(
            "nvmlDeviceGetMemoryInfo_v2",
            () -> library.nvmlDeviceGetMemoryInfo_v2(device, out.struct(MemoryV2.SIZE, 2)),
            () -> MemoryInfo.version2(out))
        .or(
            () ->
                call(
                    "nvmlDeviceGetMemoryInfo",
                    () -> library.nvmlDeviceGetMemoryInfo(device, out.start()),
                    () -> MemoryInfo.version1(out)));
  }

  @Override
  public Reading<Bar1> bar1() {
    return call(
        "nvmlDeviceGetBAR1MemoryInfo",
        () -> library.nvmlDeviceGetBAR1MemoryInfo(device, out.start()),
        () ->
            new Bar1(
                out.int64(Bar1Memory.BAR1_TOTAL),
                out.int64(Bar1Memory.BAR1_FREE),
                out.int64(Bar1Memory.BAR1_USED)));
  }

  @Override
  public Reading<Integer> persistenceMode() {
    return number("nvmlDeviceGetPersistenceMode", library::nvmlDeviceGetPersistenceMode);
  }

  @Override
  public Reading<Long> memoryErrors(EccError error, EccCounter counter, MemoryLocation location) {
    return call(
        Questions.memoryErrors(error, counter, location),
        () ->
            library.nvmlDeviceGetMemoryErrorCounter(
                device, error.ordinal(), counter.ordinal(), location.ordinal(), out.start()),
        out::int64);
  }

  @Override
  public Reading<SramEccStatus> sramEccStatus() {
    return call(
        "nvmlDeviceGetSramEccErrorStatus",
        () ->
            library.nvmlDeviceGetSramEccErrorStatus(device, out.struct(EccSramErrorStatus.SIZE, 1)),
        () ->
            new SramEccStatus(
                out.int64(EccSramErrorStatus.AGGREGATE_UNC_PARITY),
                out.int64(EccSramErrorStatus.AGGREGATE_UNC_SEC_DED),
                out.int64(EccSramErrorStatus.AGGREGATE_COR),
                out.int64(EccSramErrorStatus.VOLATILE_UNC_PARITY),
                out.int64(EccSramErrorStatus.VOLATILE_UNC_SEC_DED),
                out.int64(EccSramErrorStatus.VOLATILE_COR),
                out.int32(EccSramErrorStatus.B_THRESHOLD_EXCEEDED) != 0));
  }

  @Override
  public Reading<RowRemapHistogram> rowRemapHistogram() {
    return call(
        "nvmlDeviceGetRowRemapperHistogram",
        () -> library.nvmlDeviceGetRowRemapperHistogram(device, out.start()),
        () ->
            new RowRemapHistogram(
                out.int32(RowRemapperHistogramValues.MAX),
                out.int32(RowRemapperHistogramValues.HIGH),
                out.int32(RowRemapperHistogramValues.PARTIAL),
                out.int32(RowRemapperHistogramValues.LOW),
                out.int32(RowRemapperHistogramValues.NONE)));
  }

  @Override
  public Reading<Boolean> memoryUnrepairable() {
    return call(
        "nvmlDeviceGetUnrepairableMemoryFlag_v1",
        () -> library.nvmlDeviceGetUnrepairableMemoryFlag_v1(device, out.start()),
        () -> out.int32(UnrepairableMemoryStatus.B_UNREPAIRABLE_MEMORY) != 0);
  }

  @Override
  public Reading<Integer> pcieLinkGeneration() {
    return number(
        "nvmlDeviceGetCurrPcieLinkGeneration", library::nvmlDeviceGetCurrPcieLinkGeneration);
  }

  @Override
  public Reading<Integer> pcieLinkWidth() {
    return number("nvmlDeviceGetCurrPcieLinkWidth", library::nvmlDeviceGetCurrPcieLinkWidth);
  }

  @Override
  public Reading<Integer> maxPcieLinkGeneration() {
    return number(
        "nvmlDeviceGetMaxPcieLinkGeneration", library::nvmlDeviceGetMaxPcieLinkGeneration);
  }

  @Override
  public Reading<Integer> maxPcieLinkWidth() {
    return number("nvmlDeviceGetMaxPcieLinkWidth", library::nvmlDeviceGetMaxPcieLinkWidth);
  }

  @Override
  public Reading<FabricInfo> fabric() {
    return call(
            "nvmlDeviceGetGpuFabricInfoV v3",
            () -> library.nvmlDeviceGetGpuFabricInfoV(device, out.struct(GpuFabricInfoV3.SIZE, 3)),
            () -> versionedFabric(OptionalInt.of(out.byteAt(GpuFabricInfoV3.HEALTH_SUMMARY))))
        .or(
            () ->
                call(
                    "nvmlDeviceGetGpuFabricInfoV v2",
                    () ->
                        library.nvmlDeviceGetGpuFabricInfoV(
                            device, out.struct(GpuFabricInfoV2.SIZE, 2)),
                    () -> versionedFabric(OptionalInt.empty())))
        .or(this::fabricOfVersion1);
  }

  @Override
  public Reading<PlatformInfo> platform() {
    return call(
        "nvmlDeviceGetPlatformInfo",
        () -> library.nvmlDeviceGetPlatformInfo(device, out.struct(PlatformInfoV2.SIZE, 2)),
        () ->
            new PlatformInfo(
                out.string(PlatformInfoV2.CHASSIS_SERIAL_NUMBER, 16),
                out.byteAt(PlatformInfoV2.SLOT_NUMBER),
                out.byteAt(PlatformInfoV2.TRAY_INDEX)));
  }

  /** As nvidia-smi and the label nvidia.com/gpu.clique of Kubernetes nodes have it. */
  private String uuid(int offset) {
    ByteBuffer bytes = ByteBuffer.wrap(out.bytes(offset, 16));
    return new UUID(bytes.getLong(), bytes.getLong()).toString();
  }

  private FabricInfo versionedFabric(OptionalInt healthSummary) {
    return new FabricInfo(
        uuid(GpuFabricInfoV2.CLUSTER_UUID),
        out.int32(GpuFabricInfoV2.STATUS),
        out.int32(GpuFabricInfoV2.CLIQUE_ID),
        out.byteAt(GpuFabricInfoV2.STATE),
        OptionalInt.of(out.int32(GpuFabricInfoV2.HEALTH_MASK)),
        healthSummary);
  }

  private Reading<FabricInfo> fabricOfVersion1() {
    return call(
        "nvmlDeviceGetGpuFabricInfo",
        () -> library.nvmlDeviceGetGpuFabricInfo(device, out.start()),
        () ->
            new FabricInfo(
                uuid(GpuFabricInfo.CLUSTER_UUID),
                out.int32(GpuFabricInfo.STATUS),
                out.int32(GpuFabricInfo.CLIQUE_ID),
                out.byteAt(GpuFabricInfo.STATE),
                OptionalInt.empty(),
                OptionalInt.empty()));
  }

  @Override
  public Reading<MigMode> migMode() {
    Reading<MigMode> read =
        call(
            "nvmlDeviceGetMigMode",
            () -> library.nvmlDeviceGetMigMode(device, out.start(), out.second()),
            () -> new MigMode(out.int32(), out.secondInt32()));
    read.toOptional().ifPresent(this::remember);
    return read;
  }

  /** From Hopper on, MIG is switched on and off without a reset. */
  private void remember(MigMode now) {
    if (mode.isPresent() && mode.get().current() != now.current()) {
      calls.forget();
      batch.forget();
      sampler.forget();
      mig.forget();
      instances.values().forEach(GpmSampler::close);
      instances.clear();
      divided = Map.of();
    }
    mode = Optional.of(now);
  }

  @Override
  public Reading<Integer> maxMigDevices() {
    return noteMissing(mig.most());
  }

  @Override
  public Reading<List<MigDevice>> migDevices() {
    Reading<List<MigDevice>> devices = noteMissing(mig.read());
    devices
        .toOptional()
        .ifPresent(
            list ->
                keep(
                    list.stream()
                        .collect(
                            Collectors.toMap(
                                MigDevice::gpuInstance,
                                Function.identity(),
                                (first, other) -> first))));
    return devices;
  }

  /**
   * After a change each instance's averages start again, and unsupported calls are repeated:
   * remapped rows are available again after the last instance is destroyed.
   */
  private void keep(Map<Integer, MigDevice> now) {
    boolean same = now.size() == divided.size() && now.values().stream().allMatch(this::wasThere);
    if (same) {
      instances.values().forEach(GpmSampler::askAgain);
    } else {
      instances.values().forEach(GpmSampler::close);
      instances.clear();
      calls.forget();
      batch.forget();
      sampler.askAgain();
    }
    divided = now;
  }

  private boolean wasThere(MigDevice now) {
    MigDevice before = divided.get(now.gpuInstance());
    return before != null && now.sameInstance(before);
  }

  @Override
  public Reading<List<GpuProcess>> computeProcesses() {
    return noteMissing(ProcessList.computing(library, device, calls, room).read());
  }

  @Override
  public Reading<List<GpuProcess>> mpsProcesses() {
    return ProcessList.ofMps(library, device, calls, room).read();
  }

  @Override
  public Reading<List<ProcessSample>> processUtilization(long sinceMicros) {
    return new ProcessSamples(library, device, calls, room).read(sinceMicros);
  }

  @Override
  public Reading<VirtualizationMode> virtualizationMode() {
    return number("nvmlDeviceGetVirtualizationMode", library::nvmlDeviceGetVirtualizationMode)
        .map(VirtualizationMode::of);
  }

  @Override
  public Reading<List<Vgpu>> vgpus() {
    return noteMissing(vgpus.read());
  }

  @Override
  public Reading<Boolean> vgpuLicensed() {
    return noteMissing(vgpus.licensed());
  }

  @Override
  public Reading<Integer> p2pStatus(NvmlGpu peer) {
    return number(
        "nvmlDeviceGetP2PStatus " + peer.index(),
        () ->
            library.nvmlDeviceGetP2PStatus(
                device, JnaNvml.handleOf(peer), P2P_OVER_NVLINK, out.start()));
  }

  @Override
  public List<String> absences() {
    return Stream.concat(
            Stream.of(
                calls.absences(),
                batch.absences(),
                sampler.absences(),
                mig.absences(),
                vgpus.absences()),
            instances.values().stream().map(GpmSampler::absences))
        .flatMap(List::stream)
        .distinct()
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    sampler.close();
    instances.values().forEach(GpmSampler::close);
    instances.clear();
  }

  private Reading<String> text(String question, int length, StringCall function) {
    return call(
        question, () -> function.fill(device, out.start(), length), () -> out.string(0, length));
  }

  private Reading<Integer> number(String question, NumberCall function) {
    return number(question, () -> function.fill(device, out.start()));
  }

  private Reading<Integer> number(String question, Enum<?> which, ChosenNumberCall function) {
    return number(question, () -> function.fill(device, which.ordinal(), out.start()));
  }

  private Reading<Integer> number(String question, IntSupplier function) {
    return plausible(question, call(question, function, out::int32));
  }

  /** NVML writes 0xFFFFFFFF for a number that the GPU did not deliver; no real one is that. */
  private static Reading<Integer> plausible(String question, Reading<Integer> read) {
    return read instanceof Reading.Present<Integer> number && number.value() == ALL_ONES
        ? new Reading.Failed<>(question, NvmlReturn.INVALID_VALUE)
        : read;
  }

  private <T> Reading<T> call(String question, IntSupplier function, Supplier<T> value) {
    return noteMissing(calls.call(question, function, value));
  }

  private <T> Reading<T> noteMissing(Reading<T> reading) {
    if (reading instanceof Reading.Missing<T> absent) {
      missing.add(absent.question());
    }
    return reading;
  }

  /** The calls whose support depends on an argument, by its ordinal. */
  private static final class Questions {

    static final List<String> CLOCKS = of("nvmlDeviceGetClockInfo", Clock.values());
    static final List<String> MAX_CLOCKS = of("nvmlDeviceGetMaxClockInfo", Clock.values());
    static final List<String> SET_CLOCKS = of("nvmlDeviceGetApplicationsClock", Clock.values());
    static final List<String> THRESHOLDS =
        of("nvmlDeviceGetTemperatureThreshold", TemperatureThreshold.values());
    private static final List<List<List<String>>> MEMORY_ERRORS =
        of("nvmlDeviceGetMemoryErrorCounter", EccError.values()).stream()
            .map(
                error ->
                    of(error, EccCounter.values()).stream()
                        .map(counter -> of(counter, MemoryLocation.values()))
                        .toList())
            .toList();

    static String memoryErrors(EccError error, EccCounter counter, MemoryLocation location) {
      return MEMORY_ERRORS.get(error.ordinal()).get(counter.ordinal()).get(location.ordinal());
    }

    private static List<String> of(String call, Enum<?>[] arguments) {
      return Stream.of(arguments).map(argument -> call + " " + argument).toList();
    }
  }

  /** A C function that fills an integer. */
  private interface NumberCall {
    int fill(Pointer device, Pointer out);
  }

  private interface ChosenNumberCall {
    int fill(Pointer device, int which, Pointer out);
  }

  /** A C function that fills a string of at most that many bytes. */
  private interface StringCall {
    int fill(Pointer device, Pointer out, int length);
  }
}
