package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.MigDevice;
import io.lapwing.nvml.MigDevice.Attributes;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.MigMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The MIG instances of a GPU, for this and other subjects. Nothing but the mode is read without
 * MIG.
 *
 * <pre>
 * lapwing_gpu_instance_info{gpu="0",UUID="GPU-..",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7",mig_uuid="MIG-..",...} 1
 * lapwing_gpu_instance_slices_ratio{...} 0.142857      nvmlDeviceGetAttributes_v2: of 7
 * lapwing_gpu_instance_multiprocessors{...} 16
 * lapwing_gpu_instance_memory_bytes{...} 1.03e+10      nvmlDeviceGetMemoryInfo_v2; also ..._used_bytes
 * DCGM_FI_DEV_FB_USED{...,GPU_I_PROFILE="1g.10gb",GPU_I_ID="7",...} 512     the same in MiB; also FB_FREE, FB_TOTAL, FB_RESERVED
 * </pre>
 */
final class GpuMig extends GpuSubject {

  private final MigBoard board;

  GpuMig(MigBoard board) {
    super(
        "gpu_mig",
        "MIG instances: profile, slices, placement and memory",
        Cadence.MEDIUM,
        List.of());
    this.board = board;
  }

  @Override
  void collect(GpuRound round) {
    String uuid = round.identity().uuid();
    Reading<MigMode> mode = round.gpu().migMode();
    if (round.note(mode)) {
      return;
    }
    if (mode.toOptional().filter(now -> now.current() == 1).isEmpty()) {
      board.put(uuid, List.of(), OptionalInt.empty());
      return;
    }
    Reading<List<MigDevice>> devices = round.gpu().migDevices();
    round.note(devices);
    devices
        .toOptional()
        .map(MigInstance::of)
        .ifPresent(
            instances -> {
              board.put(uuid, instances, slicesOfGpu(round.gpu()));
              instances.forEach(instance -> put(round, instance));
            });
  }

  private static OptionalInt slicesOfGpu(NvmlGpu gpu) {
    return gpu.maxMigDevices().toOptional().stream().mapToInt(Integer::intValue).findFirst();
  }

  private void put(GpuRound round, MigInstance instance) {
    GpuRound its = round.of(instance);
    for (MigDevice device : instance.devices()) {
      its.put(
          MigMetrics.INFO,
          List.of(
              String.valueOf(device.computeInstance()),
              device.uuid(),
              device.placement().map(String::valueOf).orElse(""),
              text(device.attributes(), Attributes::gpuSlices),
              text(device.attributes(), Attributes::computeSlices)),
          1);
    }
    board
        .share(round.identity().uuid(), instance.id())
        .ifPresent(share -> its.put(MigMetrics.SLICES, share));
    instance.multiprocessors().ifPresent(count -> its.put(MigMetrics.MULTIPROCESSORS, count));
    memory(its, instance.memory());
  }

  private static void memory(GpuRound its, Reading<NvmlGpu.Memory> memory) {
    its.note(memory);
    memory
        .toOptional()
        .ifPresent(
            bytes -> {
              its.put(MigMetrics.MEMORY, (double) bytes.total());
              its.put(MigMetrics.MEMORY_USED, (double) bytes.used());
              GpuOperation.sizes(its, bytes);
            });
  }

  private static String text(
      Optional<Attributes> attributes, Function<Attributes, Integer> number) {
    return attributes.map(number).map(String::valueOf).orElse("");
  }
}
