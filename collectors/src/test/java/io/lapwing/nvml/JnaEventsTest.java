package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlEvents.Xid;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JnaEventsTest {

  private static final Reading<Optional<Xid>> NOTHING = Reading.of(Optional.empty());

  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
  }

  private Reading<NvmlEvents> open(Variant variant, int... indexes) {
    Nvml nvml = StillNode.nvml(node, variant);
    List<NvmlGpu> gpus = new ArrayList<>();
    for (int index : indexes) {
      gpus.add(StillNode.present(nvml.gpu(index)));
    }
    return nvml.xidEvents(gpus);
  }

  private static Reading<Optional<Xid>> next(NvmlEvents events) {
    return events.await(Duration.ZERO);
  }

  private static Reading<Optional<Xid>> xid(int gpu, long number) {
    return Reading.of(Optional.of(new Xid(gpu, number, OptionalInt.empty())));
  }

  @ParameterizedTest
  @EnumSource(names = {"NEW", "OLD"})
  void anXidArrivesExactlyOnce(Variant variant) {
    NvmlEvents events = StillNode.present(open(variant, 1, 3));
    node.xid(3, 94);
    assertThat(next(events)).isEqualTo(xid(3, 94));
    assertThat(next(events)).isEqualTo(NOTHING);
  }

  @Test
  void anXidOfAMigInstanceHasItsIdWhereTheCallTellsIt() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 3));
    NvmlEvents old = StillNode.present(open(Variant.OLD, 3));
    node.migXid(3, 7, 94);
    assertThat(next(events)).isEqualTo(Reading.of(Optional.of(new Xid(3, 94, OptionalInt.of(7)))));
    assertThat(next(old)).isEqualTo(xid(3, 94));
  }

  @Test
  void theSameXidTwiceArrivesTwice() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 3));
    node.xid(3, 31);
    node.xid(3, 31);
    assertThat(next(events)).isEqualTo(xid(3, 31));
    assertThat(next(events)).isEqualTo(xid(3, 31));
    assertThat(next(events)).isEqualTo(NOTHING);
  }

  @Test
  void aTimeoutIsNotAFailure() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 0));
    assertThat(events.await(Duration.ofMillis(30))).isEqualTo(NOTHING);
  }

  @Test
  void aGpuThatWasNotRegisteredSendsNoEvents() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 1));
    node.xid(2, 79);
    assertThat(next(events)).isEqualTo(NOTHING);
  }

  @Test
  void theXidOfALossComesBeforeTheLoss() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 1));
    node.xid(1, 79);
    node.set("gpu.1.lost", "1");
    assertThat(next(events)).isEqualTo(xid(1, 79));
    assertThat(next(events)).isEqualTo(new Reading.Failed<>("nvmlEventSetWait_v2", "gpu_is_lost"));
  }

  @Test
  void anEventOfAnotherTypeIsNotAnXid() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 1));
    node.set("event.1", "1 type 0x10 0");
    assertThat(next(events)).isEqualTo(NOTHING);
  }

  @Test
  void gpusWithoutXidEventsAreUnsupported() {
    node.set("gpu.*.events.supported", "0x10");
    assertThat(open(Variant.NEW, 0, 1))
        .isEqualTo(new Reading.Unsupported<>("nvmlDeviceRegisterEvents"));
  }

  @Test
  void aGpuWithoutXidEventsIsLeftOut() {
    node.set("gpu.0.events.supported", "0x10");
    NvmlEvents events = StillNode.present(open(Variant.NEW, 0, 1));
    node.xid(1, 48);
    assertThat(next(events)).isEqualTo(xid(1, 48));
  }

  @Test
  void aSetThatCannotBeMadeIsAFailure() {
    node.set("system.return.nvmlEventSetCreate", "23");
    assertThat(open(Variant.NEW, 0))
        .isEqualTo(new Reading.Failed<>("nvmlEventSetCreate", "insufficient_resources"));
  }

  @Test
  void aClosedSetFails() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 0));
    events.close();
    assertThat(next(events).failure()).contains("invalid_argument");
  }

  @Test
  void aReloadOfTheDriverEndsTheWait() {
    NvmlEvents events = StillNode.present(open(Variant.NEW, 0));
    node.set("driver.generation", "2");
    assertThat(next(events).failure()).contains("uninitialized");
  }
}
