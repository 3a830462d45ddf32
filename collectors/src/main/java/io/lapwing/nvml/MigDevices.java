package io.lapwing.nvml;

import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.MigDevice.Attributes;
import io.lapwing.nvml.MigDevice.Placement;
import io.lapwing.nvml.NvmlStructs.DeviceAttributes;
import io.lapwing.nvml.NvmlStructs.GpuInstanceInfo;
import io.lapwing.nvml.NvmlStructs.MemoryV2;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The MIG devices of a GPU. Instances come and go meanwhile: one that vanishes while it is read is
 * left out.
 */
final class MigDevices {

  /** Drivers have 7; a larger number would be garbage. */
  private static final int MOST = 64;

  private static final int TEXT = 96;

  private final NvmlLibrary library;
  private final Pointer gpu;
  private final NativeCalls calls = new NativeCalls();
  private final Out out = new Out(128);

  /** By index. */
  private final Map<Integer, Ids> known = new HashMap<>();

  /** By the name of a device. */
  private final Map<String, String> profiles = new HashMap<>();

  private record Ids(String uuid, int gpuInstance, int computeInstance) {}

  MigDevices(NvmlLibrary library, Pointer gpu) {
    this.library = library;
    this.gpu = gpu;
  }

  /** {@code nvmlDeviceGetMaxMigDeviceCount}. */
  Reading<Integer> most() {
    return number(
        "nvmlDeviceGetMaxMigDeviceCount",
        () -> library.nvmlDeviceGetMaxMigDeviceCount(gpu, out.start()));
  }

  Reading<List<MigDevice>> read() {
    return most().flatMap(count -> read(Math.min(count, MOST)));
  }

  private Reading<List<MigDevice>> read(int count) {
    List<MigDevice> devices = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      int at = index;
      Reading<MigDevice> device = handle(index).flatMap(mig -> device(at, mig));
      device.toOptional().ifPresent(devices::add);
      if (!(device instanceof Reading.Present) && !MigDevice.isGone(device)) {
        return device.map(unreachable -> List.of());
      }
    }
    return Reading.of(List.copyOf(devices));
  }

  /** An index without a device is not found. */
  private Reading<Pointer> handle(int index) {
    return calls.call(
        "nvmlDeviceGetMigDeviceHandleByIndex",
        () -> library.nvmlDeviceGetMigDeviceHandleByIndex(gpu, index, out.start()),
        out::pointer);
  }

  private Reading<MigDevice> device(int index, Pointer mig) {
    Reading<Ids> ids =
        text("nvmlDeviceGetUUID", () -> library.nvmlDeviceGetUUID(mig, out.start(), TEXT))
            .flatMap(uuid -> ids(index, mig, uuid));
    Reading<String> name =
        text("nvmlDeviceGetName", () -> library.nvmlDeviceGetName(mig, out.start(), TEXT));
    Reading<Attributes> attributes = attributes(mig);
    Reading<Placement> placement = ids.flatMap(its -> placement(its.gpuInstance()));
    Reading<NvmlGpu.Memory> memory = memory(mig);
    for (Reading<?> one : List.of(name, attributes, placement, memory)) {
      if (MigDevice.isGone(one)) {
        known.remove(index);
        return one.map(unreachable -> null);
      }
    }
    return ids.map(
        its ->
            new MigDevice(
                its.uuid(),
                its.gpuInstance(),
                its.computeInstance(),
                name.map(this::profile).toOptional().orElse(""),
                attributes.toOptional(),
                placement.toOptional(),
                memory));
  }

  /** A UUID is that of one place on the GPU: its ids are read once. */
  private Reading<Ids> ids(int index, Pointer mig, String uuid) {
    Ids before = known.get(index);
    if (before != null && before.uuid().equals(uuid)) {
      return Reading.of(before);
    }
    Reading<Ids> read =
        number(
                "nvmlDeviceGetGpuInstanceId",
                () -> library.nvmlDeviceGetGpuInstanceId(mig, out.start()))
            .flatMap(
                gpuInstance ->
                    number(
                            "nvmlDeviceGetComputeInstanceId",
                            () -> library.nvmlDeviceGetComputeInstanceId(mig, out.start()))
                        .map(computeInstance -> new Ids(uuid, gpuInstance, computeInstance)));
    read.toOptional().ifPresent(ids -> known.put(index, ids));
    return read;
  }

  private String profile(String name) {
    return profiles.computeIfAbsent(name, MigDevice::profile);
  }

  private Reading<Attributes> attributes(Pointer mig) {
    return calls.call(
        "nvmlDeviceGetAttributes_v2",
        () -> library.nvmlDeviceGetAttributes_v2(mig, out.start()),
        () ->
            new Attributes(
                out.int32(DeviceAttributes.MULTIPROCESSOR_COUNT),
                out.int32(DeviceAttributes.GPU_INSTANCE_SLICE_COUNT),
                out.int32(DeviceAttributes.COMPUTE_INSTANCE_SLICE_COUNT),
                out.int64(DeviceAttributes.MEMORY_SIZE_M_B)));
  }

  /** The driver may restrict these to root. */
  private Reading<Placement> placement(int gpuInstance) {
    return calls
        .call(
            "nvmlDeviceGetGpuInstanceById",
            () -> library.nvmlDeviceGetGpuInstanceById(gpu, gpuInstance, out.start()),
            out::pointer)
        .flatMap(
            handle ->
                calls.call(
                    "nvmlGpuInstanceGetInfo",
                    () -> library.nvmlGpuInstanceGetInfo(handle, out.start()),
                    () ->
                        new Placement(
                            out.int32(GpuInstanceInfo.PLACEMENT),
                            out.int32(GpuInstanceInfo.PLACEMENT + Integer.BYTES))));
  }

  private Reading<NvmlGpu.Memory> memory(Pointer mig) {
    return calls
        .call(
            "nvmlDeviceGetMemoryInfo_v2",
            () -> library.nvmlDeviceGetMemoryInfo_v2(mig, out.struct(MemoryV2.SIZE, 2)),
            () -> MemoryInfo.version2(out))
        .or(
            () ->
                calls.call(
                    "nvmlDeviceGetMemoryInfo",
                    () -> library.nvmlDeviceGetMemoryInfo(mig, out.start()),
                    () -> MemoryInfo.version1(out)));
  }

  private Reading<String> text(String question, IntSupplier function) {
    return calls.call(question, function, () -> out.string(0, TEXT));
  }

  private Reading<Integer> number(String question, IntSupplier function) {
    return calls.call(question, function, out::int32);
  }

  List<String> absences() {
    return calls.absences().stream().map(line -> "MIG: " + line).toList();
  }

  void forget() {
    calls.forget();
    known.clear();
    profiles.clear();
  }
}
