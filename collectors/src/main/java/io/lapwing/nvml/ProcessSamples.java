package io.lapwing.nvml;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.ProcessSample;
import io.lapwing.nvml.NvmlStructs.ProcessUtilizationSample;
import java.util.List;
import java.util.stream.IntStream;

/** {@code nvmlDeviceGetProcessUtilization}: a list of unknown length. */
record ProcessSamples(NvmlLibrary library, Pointer device, NativeCalls calls, Room memory) {

  private static final String CALL = "nvmlDeviceGetProcessUtilization";
  private static final int FIRST_ROOM = 128;
  private static final int MOST_ROOM = 32768;

  /** Drivers have answered with garbage for processes that had just exited. */
  private static final int MOST_PERCENT = 100;

  Reading<List<ProcessSample>> read(long sinceMicros) {
    return read(sinceMicros, FIRST_ROOM);
  }

  /** Not found: no process used the GPU since then. */
  private Reading<List<ProcessSample>> read(long sinceMicros, int room) {
    Memory count = memory.of(Long.BYTES + (long) room * ProcessUtilizationSample.SIZE);
    Pointer samples = count.share(Long.BYTES);
    count.setInt(0, room);
    Reading<List<ProcessSample>> list =
        calls.call(
            CALL,
            () -> library.nvmlDeviceGetProcessUtilization(device, samples, count, sinceMicros),
            () -> samples(samples, Math.min(count.getInt(0), room)));
    if (failed(list, NvmlReturn.NOT_FOUND)) {
      return Reading.of(List.of());
    }
    return failed(list, NvmlReturn.INSUFFICIENT_SIZE) && room < MOST_ROOM
        ? read(sinceMicros, 4 * room)
        : list;
  }

  private static boolean failed(Reading<?> reading, NvmlReturn why) {
    return reading.failure().filter(why.reason()::equals).isPresent();
  }

  private static List<ProcessSample> samples(Pointer samples, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> sample(samples, i * ProcessUtilizationSample.SIZE))
        .filter(one -> one.smPercent() >= 0 && one.smPercent() <= MOST_PERCENT)
        .toList();
  }

  private static ProcessSample sample(Pointer samples, int at) {
    return new ProcessSample(
        samples.getInt(at + ProcessUtilizationSample.PID),
        samples.getLong(at + ProcessUtilizationSample.TIME_STAMP),
        samples.getInt(at + ProcessUtilizationSample.SM_UTIL));
  }
}
