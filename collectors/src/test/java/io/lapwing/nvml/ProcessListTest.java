package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.NvmlStructs.ProcessInfo;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A list of processes that is longer than a simulated GPU can have. */
class ProcessListTest {

  private static final String CALL = "nvmlDeviceGetComputeRunningProcesses_v3";

  private static Reading<List<GpuProcess>> read(ScriptedLibrary library) {
    return ProcessList.computing(
            library.library(), Pointer.createConstant(1), new NativeCalls(), new Room())
        .read();
  }

  private static ScriptedLibrary library(IntSupplier processes) {
    return new ScriptedLibrary()
        .with(CALL, arguments -> fill(processes.getAsInt(), arguments[1], arguments[2]));
  }

  private static int fill(int processes, Object count, Object infos) {
    int room = ((Memory) count).getInt(0);
    ((Memory) count).setInt(0, processes);
    if (processes > room) {
      return NvmlReturn.INSUFFICIENT_SIZE.code();
    }
    for (int i = 0; i < processes; i++) {
      Pointer info = ((Memory) infos).share((long) i * ProcessInfo.SIZE);
      info.setInt(ProcessInfo.PID, 1000 + i);
      info.setLong(ProcessInfo.USED_GPU_MEMORY, i == 0 ? -1 : i);
      info.setInt(ProcessInfo.GPU_INSTANCE_ID, i == 0 ? -1 : 7);
    }
    return 0;
  }

  @Test
  void aListLongerThanTheBufferIsReadAgainWithALargerOne() {
    ScriptedLibrary library = library(() -> 65);
    List<GpuProcess> processes = StillNode.present(read(library));
    assertThat(processes.stream().map(GpuProcess::pid))
        .containsExactlyElementsOf(IntStream.range(1000, 1065).boxed().toList());
    assertThat(library.count(CALL)).isEqualTo(2);
  }

  @Test
  void moreProcessesMayComeWhileTheListIsRead() {
    AtomicInteger processes = new AtomicInteger(60);
    List<GpuProcess> list =
        StillNode.present(read(library(() -> processes.updateAndGet(before -> before + 200))));
    assertThat(list).hasSizeGreaterThan(600);
  }

  @Test
  void sixtyFourFitAtOnce() {
    ScriptedLibrary library = library(() -> 64);
    assertThat(StillNode.present(read(library))).hasSize(64);
    assertThat(library.count(CALL)).isEqualTo(1);
  }

  @Test
  void memoryAndInstancesThatTheDriverDoesNotReportAreEmpty() {
    List<GpuProcess> processes = StillNode.present(read(library(() -> 2)));
    assertThat(processes)
        .containsExactly(
            new GpuProcess(1000, OptionalLong.empty(), OptionalInt.empty()),
            new GpuProcess(1001, OptionalLong.of(1), OptionalInt.of(7)));
  }

  @Test
  void anEndlessListIsAbandoned() {
    assertThat(read(library(() -> Integer.MAX_VALUE)))
        .isEqualTo(new Reading.Failed<>(CALL, "insufficient_size"));
  }
}
