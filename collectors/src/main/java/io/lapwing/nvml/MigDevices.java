package io.lapwing.nvml;

import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.MigDevice.Attributes;
import io.lapwing.nvml.MigDevice.Placement;
import io.lapwing.nvml.NvmlStructs.DeviceAttributes;
import io.lapwing.nvml.NvmlStructs.GpuInstanceInfo;
import io.lapwing.nvml.NvmlStructs.MemoryV2;
import java.util.ArrayList;
import java.util.List;
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
      Reading<MigDevice> device = handle(index).flatMap(this::device);
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

  private Reading<MigDevice> device(Pointer mig) {
    Reading<String> uuid =
        text("nvmlDeviceGetUUID", () -> library.nvmlDeviceGetUUID(mig, out.start(), TEXT));
    Reading<Integer> gpuInstance =
        number(
            "nvmlDeviceGetGpuInstanceId",
            () -> library.nvmlDeviceGetGpuInstanceId(mig, out.start()));
    Reading<Integer> computeInstance =
        number(
            "nvmlDeviceGetComputeInstanceId",
            () -> library.nvmlDeviceGetComputeInstanceId(mig, out.start()));
    Reading<String> name =
        text("nvmlDeviceGetName", () -> library.nvmlDeviceGetName(mig, out.start(), TEXT));
    Reading<Attributes> attributes = attributes(mig);
    Reading<Placement> placement = gpuInstance.flatMap(this::placement);
    Reading<NvmlGpu.Memory> memory = memory(mig);
    for (Reading<?> one : List.of(name, attributes, placement, memory)) {
      if (MigDevice.isGone(one)) {
        return one.map(unreachable -> null);
      }
    }
    return uuid.flatMap(
        id ->
            gpuInstance.flatMap(
                gi ->
                    computeInstance.map(
                        ci ->
                            new MigDevice(
                                id,
                                gi,
                                ci,
                                name.map(MigDevice::profile).toOptional().orElse(""),
                                attributes.toOptional(),
                                placement.toOptional(),
                                memory))));
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
  }
}
