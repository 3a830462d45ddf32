package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.gpu.GpuIdentity;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.metric.Labels;
import io.lapwing.xid.PciAddress;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PciToUuidMapTest {

  private static final PciAddress PCI = PciAddress.parse("0000:53:00").orElseThrow();

  private static final Instant AT = Instant.parse("2026-03-01T03:00:00Z");

  private final GpuRoster roster = new GpuRoster();
  private final PciToUuidMap map = new PciToUuidMap(roster);

  private void seen(String uuid, long generation) {
    roster.present(
        new GpuRoster.Known(
            new GpuIdentity(0, uuid, "", "", "00000000:53:00.0", "", "", ""),
            Labels.NONE,
            Labels.NONE,
            generation));
  }

  @Test
  void theBoardSeenLastHasTheAddress() {
    map.learn(PCI, "GPU-0");
    assertThat(map.uuid(PCI)).contains("GPU-0");
    seen("GPU-a", 1);
    assertThat(map.uuid(PCI)).as("NVML's counts").contains("GPU-a");
    seen("GPU-b", 2);
    assertThat(map.uuid(PCI)).contains("GPU-b");
    seen("GPU-a", 3);
    assertThat(map.uuid(PCI)).as("it is back").contains("GPU-a");
  }

  private static Event xid(String gpu) {
    return new Event.Xid(
        AT,
        gpu,
        PCI.toString(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        79,
        OptionalLong.empty(),
        "",
        "",
        OptionalInt.empty(),
        Set.of(Event.Origin.KERNEL),
        1,
        OptionalLong.empty());
  }

  private static Event verdict(String gpu) {
    return new Event.VerdictChanged(AT, "gpu:" + gpu, "", "healthy", "none");
  }

  private static Event boot(String instance) {
    return new Event.Booted(AT, "boot-" + instance, instance);
  }

  private void another(String uuid) {
    roster.present(
        new GpuRoster.Known(
            new GpuIdentity(1, uuid, "", "", "00000000:64:00.0", "", "", ""),
            Labels.NONE,
            Labels.NONE,
            1));
  }

  @Test
  void aGpuThatDoesNotAnswerAfterABootIsTheOneOfBefore() {
    map.restore(List.of(xid("GPU-0"), verdict("GPU-1"), boot("")));
    assertThat(map.uuid(PCI)).as("while no GPU answers").contains("GPU-0");
    another("GPU-1");
    assertThat(map.uuid(PCI)).as("another GPU of before answers").contains("GPU-0");
    seen("GPU-x", 1);
    assertThat(map.uuid(PCI)).as("another one is there").contains("GPU-x");
  }

  @Test
  void itIsNotWhereTheOtherGpusAreNew() {
    map.restore(List.of(xid("GPU-0"), verdict("GPU-1"), boot(""), verdict("GPU-2")));
    another("GPU-2");
    assertThat(map.uuid(PCI)).isEmpty();
  }

  @Test
  void itIsNotOnceItAnswersElsewhere() {
    map.restore(List.of(xid("GPU-0"), verdict("GPU-0"), boot("")));
    another("GPU-0");
    assertThat(map.uuid(PCI)).isEmpty();
  }

  @Test
  void anotherMachineHasOtherGpus() {
    map.restore(List.of(boot("i-1"), xid("GPU-0"), boot("i-2")));
    assertThat(map.uuid(PCI)).isEmpty();
  }
}
