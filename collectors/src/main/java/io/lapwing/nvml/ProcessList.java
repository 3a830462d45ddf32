package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.NvmlStructs.ProcessInfo;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** A list of processes of unknown length. */
record ProcessList(String name, Call call, NativeCalls calls, Room memory) {

  private static final int FIRST_ROOM = 64;
  private static final int MOST_ROOM = 16384;
  private static final long NOT_AVAILABLE = -1;
  private static final int NO_INSTANCE = -1;

  interface Call {
    int list(Pointer count, Pointer processes);
  }

  /** {@code nvmlDeviceGetComputeRunningProcesses_v3}. */
  static ProcessList computing(
      NvmlLibrary library, Pointer device, NativeCalls calls, Room memory) {
    return new ProcessList(
        "nvmlDeviceGetComputeRunningProcesses_v3",
        (count, processes) ->
            library.nvmlDeviceGetComputeRunningProcesses_v3(device, count, processes),
        calls,
        memory);
  }

  /** {@code nvmlDeviceGetMPSComputeRunningProcesses_v3}. */
  static ProcessList ofMps(NvmlLibrary library, Pointer device, NativeCalls calls, Room memory) {
    return new ProcessList(
        "nvmlDeviceGetMPSComputeRunningProcesses_v3",
        (count, processes) ->
            library.nvmlDeviceGetMPSComputeRunningProcesses_v3(device, count, processes),
        calls,
        memory);
  }

  Reading<List<GpuProcess>> read() {
    return read(FIRST_ROOM);
  }

  /** {@code INSUFFICIENT_SIZE}: the buffer is too small; more processes may start meanwhile. */
  private Reading<List<GpuProcess>> read(int room) {
    Memory count = memory.of(Long.BYTES + (long) room * ProcessInfo.SIZE);
    Pointer processes = count.share(Long.BYTES);
    count.setInt(0, room);
    Reading<List<GpuProcess>> list =
        calls.call(
            name,
            () -> call.list(count, processes),
            () -> processes(processes, Math.min(count.getInt(0), room)));
    boolean tooSmall =
        list.failure().filter(NvmlReturn.INSUFFICIENT_SIZE.reason()::equals).isPresent();
    return tooSmall && room < MOST_ROOM ? read(4 * room) : list;
  }

  private static List<GpuProcess> processes(Pointer processes, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> process(processes, i * ProcessInfo.SIZE))
        .toList();
  }

  private static GpuProcess process(Pointer processes, int at) {
    long used = processes.getLong(at + ProcessInfo.USED_GPU_MEMORY);
    int instance = processes.getInt(at + ProcessInfo.GPU_INSTANCE_ID);
    return new GpuProcess(
        processes.getInt(at + ProcessInfo.PID),
        used == NOT_AVAILABLE ? OptionalLong.empty() : OptionalLong.of(used),
        instance == NO_INSTANCE ? OptionalInt.empty() : OptionalInt.of(instance));
  }
}
