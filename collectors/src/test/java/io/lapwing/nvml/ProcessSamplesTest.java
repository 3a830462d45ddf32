package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.ProcessSample;
import io.lapwing.nvml.NvmlStructs.ProcessUtilizationSample;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Samples of more processes than a simulated GPU can have, and garbage. */
class ProcessSamplesTest {

  private static final String CALL = "nvmlDeviceGetProcessUtilization";

  private static Reading<List<ProcessSample>> read(ScriptedLibrary library) {
    return new ProcessSamples(
            library.library(), Pointer.createConstant(1), new NativeCalls(), new Room())
        .read(17);
  }

  private static int fill(int samples, Object into, Object count) {
    int room = ((Memory) count).getInt(0);
    ((Memory) count).setInt(0, samples);
    if (samples > room) {
      return NvmlReturn.INSUFFICIENT_SIZE.code();
    }
    for (int i = 0; i < samples; i++) {
      Pointer sample = ((Memory) into).share((long) i * ProcessUtilizationSample.SIZE);
      sample.setInt(ProcessUtilizationSample.PID, 1000 + i);
      sample.setLong(ProcessUtilizationSample.TIME_STAMP, 18);
      sample.setInt(ProcessUtilizationSample.SM_UTIL, i == 1 ? -2 : i == 2 ? 101 : 7);
    }
    return 0;
  }

  private static ScriptedLibrary library(int samples) {
    return new ScriptedLibrary().with(CALL, arguments -> fill(samples, arguments[1], arguments[2]));
  }

  @Test
  void moreSamplesThanTheBufferHoldsAreReadAgainWithALargerOne() {
    ScriptedLibrary library = library(200);
    assertThat(StillNode.present(read(library))).hasSize(198);
    assertThat(library.count(CALL)).isEqualTo(2);
  }

  @Test
  void percentagesThatCannotBeAreLeftOut() {
    assertThat(StillNode.present(read(library(4))))
        .containsExactly(new ProcessSample(1000, 18, 7), new ProcessSample(1003, 18, 7));
  }

  @Test
  void noSampleMeansThatNoProcessUsedTheGpu() {
    ScriptedLibrary idle =
        new ScriptedLibrary().with(CALL, arguments -> NvmlReturn.NOT_FOUND.code());
    assertThat(StillNode.present(read(idle))).isEmpty();
  }
}
