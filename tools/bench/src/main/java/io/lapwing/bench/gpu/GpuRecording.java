package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.Clock;
import io.lapwing.nvml.NvmlGpu.EccCounter;
import io.lapwing.nvml.NvmlGpu.EccError;
import io.lapwing.nvml.NvmlGpu.FabricInfo;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.NvmlGpu.InforomObject;
import io.lapwing.nvml.NvmlGpu.MemoryLocation;
import io.lapwing.nvml.NvmlGpu.PlatformInfo;
import io.lapwing.nvml.NvmlGpu.ProcessSample;
import io.lapwing.nvml.NvmlGpu.TemperatureThreshold;
import io.lapwing.nvml.Vgpu;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every call of the port for one GPU, but field values and activity, as lines of a state. */
final class GpuRecording {

  /** The library's room for processes of one GPU. */
  private static final int MOST_PROCESSES = 16;

  private static final int MEBIBYTE = 20;

  private static final Map<Clock, String> MAXIMA =
      Map.of(
          Clock.SM,
          "clocks.sm.max",
          Clock.MEMORY,
          "clocks.memory.max",
          Clock.VIDEO,
          "clocks.video.max");

  private static final Map<Clock, String> APPLICATIONS =
      Map.of(Clock.SM, "clocks.sm.application", Clock.MEMORY, "clocks.memory.application");

  private final NvmlGpu gpu;
  private final StateLines lines;
  private final Identities identities;
  private final String at;

  GpuRecording(NvmlGpu gpu, StateLines lines, Identities identities) {
    this.gpu = gpu;
    this.lines = lines;
    this.identities = identities;
    this.at = "gpu." + gpu.index() + ".";
  }

  void read() {
    identity();
    inforom();
    thermal();
    power();
    clocks();
    memory();
    ecc();
    pcie();
    fabric();
    processes();
    virtualization();
  }

  private <T> void put(String key, String call, Reading<T> reading, Function<T, String> text) {
    lines.answer(at, key, call, reading, text);
  }

  private <T> void put(String key, String call, Reading<T> reading) {
    put(key, call, reading, String::valueOf);
  }

  private void unsigned(String key, String call, Reading<Integer> reading) {
    put(key, call, reading, Integer::toUnsignedString);
  }

  private void identity() {
    int index = gpu.index();
    put("name", "nvmlDeviceGetName", gpu.name());
    put("uuid", "nvmlDeviceGetUUID", gpu.uuid(), uuid -> identities.uuid(index, uuid));
    put("serial", "nvmlDeviceGetSerial", gpu.serial(), it -> identities.serial(index, it));
    put("bus_id", "nvmlDeviceGetPciInfo_v3", gpu.pciBusId(), GpuRecording::shortBusId);
    unsigned("minor", "nvmlDeviceGetMinorNumber", gpu.minorNumber());
    put("vbios", "nvmlDeviceGetVbiosVersion", gpu.vbiosVersion());
    unsigned("brand", "nvmlDeviceGetBrand", gpu.brand());
    unsigned("persistence", "nvmlDeviceGetPersistenceMode", gpu.persistenceMode());
  }

  private void virtualization() {
    put(
        "virtualization",
        "nvmlDeviceGetVirtualizationMode",
        gpu.virtualizationMode(),
        mode -> String.valueOf(List.of(NvmlGpu.VirtualizationMode.values()).indexOf(mode)));
    put(
        "vgpu.licensed",
        "nvmlDeviceGetGridLicensableFeatures_v4",
        gpu.vgpuLicensed(),
        GpuRecording::bit);
    List<Vgpu> vgpus = gpu.vgpus().toOptional().orElse(List.of());
    for (int i = 0; i < vgpus.size(); i++) {
      lines.put(at + "vgpu." + i, vgpu(vgpus.get(i), i));
    }
  }

  /** MiB, licence, percent, virtual machine and type; the machine is anonymized. */
  private static String vgpu(Vgpu one, int index) {
    return "%d %d %d vm-%d %s"
        .formatted(
            one.memoryTotal().toOptional().orElse(0L) >> 20,
            one.license().toOptional().flatMap(it -> it).map(Enum::ordinal).orElse(0),
            one.utilization()
                .toOptional()
                .flatMap(it -> it)
                .flatMap(Vgpu.Utilization::sm)
                .orElse(0),
            index,
            one.type());
  }

  /** {@code 00000000:53:00.0} as the kernel writes it. */
  static String shortBusId(String busId) {
    String lower = busId.toLowerCase(Locale.ROOT);
    return lower.matches("0000[0-9a-f]{4}:.*") ? lower.substring(4) : lower;
  }

  private void inforom() {
    put("inforom.image", "nvmlDeviceGetInforomImageVersion", gpu.inforomImageVersion());
    for (InforomObject object : InforomObject.values()) {
      lines.answerOfMany(
          at,
          "inforom." + object.name().toLowerCase(Locale.ROOT),
          gpu.inforomVersion(object),
          Function.identity());
    }
    put("inforom.checksum", "nvmlDeviceGetInforomConfigurationChecksum", gpu.inforomChecksum());
    put("inforom.valid", "nvmlDeviceValidateInforom", gpu.inforomValid(), GpuRecording::bit);
  }

  private static String bit(boolean is) {
    return is ? "1" : "0";
  }

  private void thermal() {
    put("temperature", "nvmlDeviceGetTemperatureV", gpu.temperature());
    put("temperature.margin", "nvmlDeviceGetMarginTemperature", gpu.marginTemperature());
    for (TemperatureThreshold threshold : TemperatureThreshold.values()) {
      lines.answerOfMany(
          at,
          "temperature.threshold." + threshold.name().toLowerCase(Locale.ROOT),
          gpu.temperatureThreshold(threshold),
          Integer::toUnsignedString);
    }
  }

  private void power() {
    Function<Integer, String> watts = StateLines::thousandth;
    put("power", "nvmlDeviceGetPowerUsage", gpu.powerUsage(), watts);
    put("power.limit", "nvmlDeviceGetEnforcedPowerLimit", gpu.enforcedPowerLimit(), watts);
    put(
        "power.limit.requested",
        "nvmlDeviceGetPowerManagementLimit",
        gpu.powerManagementLimit(),
        watts);
    put(
        "power.limit.default",
        "nvmlDeviceGetPowerManagementDefaultLimit",
        gpu.powerManagementDefaultLimit(),
        watts);
    String range = "nvmlDeviceGetPowerManagementLimitConstraints";
    Reading<NvmlGpu.PowerRange> limits = gpu.powerManagementLimitConstraints();
    put("power.limit.min", range, limits.map(NvmlGpu.PowerRange::min), watts);
    put("power.limit.max", range, limits.map(NvmlGpu.PowerRange::max), watts);
  }

  private void clocks() {
    for (Clock clock : Clock.values()) {
      String key = "clocks." + clock.name().toLowerCase(Locale.ROOT);
      lines.answerOfMany(at, key, gpu.clock(clock), Integer::toUnsignedString);
    }
    MAXIMA.forEach(
        (clock, key) ->
            lines.answerOfMany(at, key, gpu.maxClock(clock), Integer::toUnsignedString));
    APPLICATIONS.forEach(
        (clock, key) ->
            lines.answerOfMany(at, key, gpu.applicationsClock(clock), Integer::toUnsignedString));
    put("pstate", "nvmlDeviceGetPerformanceState", gpu.performanceState());
    put("clocks.reasons", "nvmlDeviceGetCurrentClocksEventReasons", gpu.clockEventReasons());
    String rates = "nvmlDeviceGetUtilizationRates";
    Reading<NvmlGpu.Utilization> busy = gpu.utilization();
    put("utilization.gpu", rates, busy.map(NvmlGpu.Utilization::gpu));
    put("utilization.memory", rates, busy.map(NvmlGpu.Utilization::memory));
    unsigned("utilization.encoder", "nvmlDeviceGetEncoderUtilization", gpu.encoderUtilization());
    unsigned("utilization.decoder", "nvmlDeviceGetDecoderUtilization", gpu.decoderUtilization());
  }

  private void memory() {
    Reading<NvmlGpu.Memory> memory = gpu.memory();
    String call = "nvmlDeviceGetMemoryInfo_v2";
    put("memory.total", call, memory.map(NvmlGpu.Memory::total));
    put("memory.used", call, memory.map(NvmlGpu.Memory::used));
    put("memory.reserved", call, memory.map(is -> is.reserved().orElse(0)));
    memory
        .toOptional()
        .ifPresent(
            is -> {
              if (is.reserved().isEmpty()) {
                lines.put(at + "return." + call, "13");
              }
              if (is.free() != is.total() - is.used() - is.reserved().orElse(0)) {
                lines.note(at + "memory: free memory is not what is left of the total");
              }
            });
    Reading<NvmlGpu.Bar1> bar1 = gpu.bar1();
    put("bar1.total", "nvmlDeviceGetBAR1MemoryInfo", bar1.map(NvmlGpu.Bar1::total));
    put("bar1.used", "nvmlDeviceGetBAR1MemoryInfo", bar1.map(NvmlGpu.Bar1::used));
  }

  private void ecc() {
    for (EccError error : EccError.values()) {
      for (EccCounter counter : EccCounter.values()) {
        for (MemoryLocation place : MemoryLocation.values()) {
          lines.answerOfMany(
              at,
              String.join(".", "ecc", error.name(), counter.name(), place.name())
                  .toLowerCase(Locale.ROOT),
              gpu.memoryErrors(error, counter, place),
              Long::toUnsignedString);
        }
      }
    }
    String sram = "nvmlDeviceGetSramEccErrorStatus";
    Reading<NvmlGpu.SramEccStatus> status = gpu.sramEccStatus();
    sram("aggregate.parity", status, NvmlGpu.SramEccStatus::aggregateUncorrectedParity);
    sram("aggregate.secded", status, NvmlGpu.SramEccStatus::aggregateUncorrectedSecDed);
    sram("aggregate.corrected", status, NvmlGpu.SramEccStatus::aggregateCorrected);
    sram("volatile.parity", status, NvmlGpu.SramEccStatus::volatileUncorrectedParity);
    sram("volatile.secded", status, NvmlGpu.SramEccStatus::volatileUncorrectedSecDed);
    sram("volatile.corrected", status, NvmlGpu.SramEccStatus::volatileCorrected);
    put(
        "sram.threshold_exceeded",
        sram,
        status.map(NvmlGpu.SramEccStatus::thresholdExceeded),
        GpuRecording::bit);
    String histogram = "nvmlDeviceGetRowRemapperHistogram";
    Reading<NvmlGpu.RowRemapHistogram> banks = gpu.rowRemapHistogram();
    put("rows.histogram.max", histogram, banks.map(NvmlGpu.RowRemapHistogram::max));
    put("rows.histogram.high", histogram, banks.map(NvmlGpu.RowRemapHistogram::high));
    put("rows.histogram.partial", histogram, banks.map(NvmlGpu.RowRemapHistogram::partial));
    put("rows.histogram.low", histogram, banks.map(NvmlGpu.RowRemapHistogram::low));
    put("rows.histogram.none", histogram, banks.map(NvmlGpu.RowRemapHistogram::none));
    put(
        "memory.unrepairable",
        "nvmlDeviceGetUnrepairableMemoryFlag_v1",
        gpu.memoryUnrepairable(),
        GpuRecording::bit);
  }

  private void sram(
      String key,
      Reading<NvmlGpu.SramEccStatus> status,
      Function<NvmlGpu.SramEccStatus, Long> count) {
    put("sram." + key, "nvmlDeviceGetSramEccErrorStatus", status.map(count));
  }

  private void pcie() {
    unsigned("pcie.generation", "nvmlDeviceGetCurrPcieLinkGeneration", gpu.pcieLinkGeneration());
    unsigned("pcie.width", "nvmlDeviceGetCurrPcieLinkWidth", gpu.pcieLinkWidth());
    unsigned(
        "pcie.generation.max", "nvmlDeviceGetMaxPcieLinkGeneration", gpu.maxPcieLinkGeneration());
    unsigned("pcie.width.max", "nvmlDeviceGetMaxPcieLinkWidth", gpu.maxPcieLinkWidth());
  }

  private void fabric() {
    Reading<FabricInfo> fabric = gpu.fabric();
    if (!(fabric instanceof Reading.Present)) {
      String code = String.valueOf(StateLines.code(fabric));
      lines.put(at + "return.nvmlDeviceGetGpuFabricInfoV", code);
      lines.put(at + "return.nvmlDeviceGetGpuFabricInfo", code);
      return;
    }
    FabricInfo info = fabric.toOptional().orElseThrow();
    lines.put(at + "fabric.uuid", identities.cluster(info.clusterUuid()));
    lines.put(at + "fabric.state", String.valueOf(info.state()));
    lines.put(at + "fabric.status", String.valueOf(info.status()));
    lines.put(at + "fabric.clique", Integer.toUnsignedString(info.cliqueId()));
    lines.put(at + "fabric.health", optional(info.healthMask()));
    lines.put(at + "fabric.summary", optional(info.healthSummary()));
    gpu.platform().toOptional().ifPresent(this::place);
  }

  private void place(PlatformInfo platform) {
    if (!platform.chassis().isEmpty()) {
      lines.put(at + "platform.chassis", identities.chassis(platform.chassis()));
      lines.put(at + "platform.slot", String.valueOf(platform.slot()));
      lines.put(at + "platform.tray", String.valueOf(platform.tray()));
    }
  }

  private static String optional(OptionalInt number) {
    return number.isPresent() ? Integer.toUnsignedString(number.getAsInt()) : "unsupported";
  }

  private void processes() {
    Reading<List<GpuProcess>> found = gpu.computeProcesses();
    if (!(found instanceof Reading.Present)) {
      lines.put(
          at + "return.nvmlDeviceGetComputeRunningProcesses_v3",
          String.valueOf(StateLines.code(found)));
      lines.put(at + "processes", "");
      return;
    }
    List<GpuProcess> all = found.toOptional().orElseThrow();
    if (all.size() > MOST_PROCESSES) {
      lines.note(at + "processes: only " + MOST_PROCESSES + " of " + all.size());
    }
    if (all.stream().anyMatch(one -> one.usedMemory().isEmpty())) {
      lines.note(at + "processes: the memory of some is not known, and 0 here");
    }
    Set<Integer> clients =
        gpu.mpsProcesses().toOptional().orElse(List.of()).stream()
            .map(GpuProcess::pid)
            .collect(Collectors.toSet());
    Map<Integer, Double> percent =
        gpu.processUtilization(0).toOptional().orElse(List.of()).stream()
            .collect(
                Collectors.groupingBy(
                    ProcessSample::pid, Collectors.averagingInt(ProcessSample::smPercent)));
    lines.put(
        at + "processes",
        all.stream()
            .limit(MOST_PROCESSES)
            .map(one -> process(one) + share(percent.get(one.pid()), all) + mps(one, clients))
            .collect(Collectors.joining(" ")));
  }

  private static String process(GpuProcess process) {
    return process.pid()
        + ":"
        + (process.usedMemory().orElse(0) >> MEBIBYTE)
        + (process.instance().isPresent() ? "@" + process.instance().getAsInt() : "");
  }

  private static String mps(GpuProcess process, Set<Integer> clients) {
    return clients.contains(process.pid()) ? "+mps" : "";
  }

  /** Of the GPU's utilization, which the simulator cuts to a whole percent. */
  private String share(@Nullable Double percent, List<GpuProcess> all) {
    double whole =
        gpu.utilization().toOptional().map(NvmlGpu.Utilization::gpu).orElse(0).doubleValue();
    return percent == null || all.size() < 2 || whole == 0
        ? ""
        : "*" + Math.min(1, (percent + 0.5) / whole);
  }
}
