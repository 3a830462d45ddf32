package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsTest {
  private static final long XID = 0x8;
  private static final int TIMEOUT = 10;

  private SimulatedNode node;
  private Nvml nvml;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
    nvml = Nvml.of(node);
  }

  @AfterEach
  void closeLibrary() {
    nvml.close();
  }

  private Pointer setFor(int... gpus) {
    PointerByReference set = new PointerByReference();
    nvml.call("nvmlEventSetCreate", set);
    for (int gpu : gpus) {
      nvml.call("nvmlDeviceRegisterEvents", nvml.device(gpu), XID, set.getValue());
    }
    return set.getValue();
  }

  /** Return code, and the XID when there was one. */
  private record Waited(int code, long xid) {}

  private Waited await(Pointer set, int milliseconds) {
    Memory data = new Memory(32);
    data.clear();
    int code = nvml.call("nvmlEventSetWait_v2", set, data, milliseconds);
    return new Waited(code, data.getLong(16));
  }

  @Test
  void anXidIsDeliveredExactlyOnceToEverySet() {
    Pointer one = setFor(1);
    Pointer other = setFor(1);
    node.xid(1, 94);
    node.xid(1, 94);
    assertThat(await(one, 0)).isEqualTo(new Waited(0, 94));
    assertThat(await(one, 0)).isEqualTo(new Waited(0, 94));
    assertThat(await(one, 0)).isEqualTo(new Waited(TIMEOUT, 0));
    assertThat(await(other, 0)).isEqualTo(new Waited(0, 94));
  }

  @Test
  void aSetReceivesEventsOfRegisteredGpusOnly() {
    Pointer set = setFor(1, 2);
    node.xid(3, 79);
    node.xid(2, 48);
    assertThat(await(set, 0)).isEqualTo(new Waited(0, 48));
    assertThat(await(set, 0).code()).isEqualTo(TIMEOUT);
  }

  @Test
  void eventsBeforeTheRegistrationAreNotRecorded() {
    node.xid(1, 63);
    assertThat(await(setFor(1), 0).code()).isEqualTo(TIMEOUT);
  }

  @Test
  void aWaitEndsWhenAnEventComes() throws Exception {
    Pointer set = setFor(1);
    CompletableFuture<Waited> waiting = CompletableFuture.supplyAsync(() -> await(set, 60_000));
    node.xid(1, 119);
    assertThat(waiting.get(3, TimeUnit.MINUTES)).isEqualTo(new Waited(0, 119));
  }

  @Test
  void aWaitWithoutEventEndsWithATimeout() {
    assertThat(await(setFor(1), 30).code()).isEqualTo(TIMEOUT);
  }

  @Test
  void theXidOfALostGpuComesBeforeItsLoss() {
    Pointer set = setFor(1);
    node.xid(1, 79);
    node.set("gpu.1.lost", "1");
    assertThat(await(set, 0)).isEqualTo(new Waited(0, 79));
    assertThat(await(set, 0).code()).isEqualTo(15);
  }

  @Test
  void anUnsupportedTypeIsRefusedAndAFreedSetIsInvalid() {
    Pointer set = setFor(1);
    assertThat(nvml.call("nvmlDeviceRegisterEvents", nvml.device(0), 0x8000L, set)).isEqualTo(3);
    assertThat(nvml.call("nvmlEventSetFree", set)).isZero();
    assertThat(await(set, 0).code()).isEqualTo(2);
    assertThat(nvml.call("nvmlEventSetFree", set)).isEqualTo(2);
  }
}
