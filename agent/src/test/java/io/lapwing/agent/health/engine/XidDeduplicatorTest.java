package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.PciAddress;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Two sources report the same faults. The messages here are a shorthand: the parser has its own
 * tests.
 */
class XidDeduplicatorTest {

  private static final PciAddress PCI = new PciAddress(0, 0x53, 0);
  private static final String UUID = "GPU-three";

  private Instant now = Instant.parse("2026-03-01T03:00:00Z");
  private long nanos;
  private long sequence = 100;

  private final PollClock clock =
      new PollClock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public long nanoTime() {
          return nanos;
        }
      };

  private final PciToUuidMap names = new PciToUuidMap(new GpuRoster());
  private final XidDeduplicator intake =
      new XidDeduplicator(XidDeduplicatorTest::fact, names, clock);

  XidDeduplicatorTest() {
    kernel("gpu");
    assertThat(intake.take()).isEmpty();
  }

  private static Optional<KernelFact> fact(String text) {
    String[] words = text.split(" ", -1);
    return switch (words[0]) {
      case "xid" -> Optional.of(xid(text, words, OptionalInt.empty()));
      case "mig" -> Optional.of(xid(text, words, OptionalInt.of(Integer.parseInt(words[2]))));
      case "off" -> Optional.of(new KernelFact.OffBus(PCI, "fallen off the bus"));
      case "gpu" -> Optional.of(new KernelFact.GpuAt(PCI, UUID));
      case "driver" -> Optional.of(new KernelFact.DriverLoaded(words[1]));
      case "sxid" ->
          Optional.of(
              new KernelFact.SXid(
                  "nvidia-nvswitch0",
                  PCI,
                  Integer.parseInt(words[1]),
                  Optional.empty(),
                  OptionalInt.empty(),
                  "SOE HALTED"));
      default -> Optional.empty();
    };
  }

  private static KernelFact xid(String text, String[] words, OptionalInt instance) {
    return new KernelFact.Xid(
        PCI,
        instance,
        OptionalInt.empty(),
        Integer.parseInt(words[1]),
        words.length > 2 ? OptionalLong.of(Long.parseLong(words[2])) : OptionalLong.empty(),
        Optional.empty(),
        text,
        OptionalInt.empty(),
        instance.isEmpty() && words[1].equals("154")
            ? new XidDetail.RecoveryChange(0, 2, text)
            : XidDetail.NONE);
  }

  private void pass(Duration time) {
    now = now.plus(time);
    nanos += time.toNanos();
  }

  private void kernel(String text) {
    intake.kernel(List.of(new KernelRecord(OptionalLong.of(sequence++), Optional.of(now), text)));
  }

  private void nvml(int number) {
    intake.nvml(UUID, number, now);
  }

  private List<Event.Xid> xids() {
    return intake.take().stream()
        .filter(Event.Xid.class::isInstance)
        .map(Event.Xid.class::cast)
        .toList();
  }

  private Event.Xid only() {
    List<Event.Xid> xids = xids();
    assertThat(xids).hasSize(1);
    return xids.get(0);
  }

  @Test
  void anXidOfNvmlAloneHasItsMigInstance() {
    intake.nvml(UUID, 43, OptionalInt.of(7), now);
    pass(Duration.ofSeconds(2));
    assertThat(only().gpuInstance()).hasValue(7);
  }

  @Test
  void xidsOfNvmlAloneOnTwoMigInstancesStayTwo() {
    intake.nvml(UUID, 43, OptionalInt.of(7), now);
    intake.nvml(UUID, 43, OptionalInt.of(9), now);
    pass(Duration.ofSeconds(2));
    assertThat(xids())
        .extracting(Event.Xid::gpuInstance)
        .containsExactly(OptionalInt.of(7), OptionalInt.of(9));
  }

  /** A line that is lost must not make that of another tenant one of two reports of its XID. */
  @Test
  void aLineOfOneMigInstanceIsNotNvmlsEventOfAnother() {
    intake.nvml(UUID, 94, OptionalInt.of(7), now);
    kernel("mig 94 9");
    assertThat(only().origins()).containsExactly(Event.Origin.KERNEL);
    pass(Duration.ofSeconds(2));
    assertThat(only().gpuInstance()).hasValue(7);

    kernel("mig 94 9");
    assertThat(only().gpuInstance()).as("NVML alone reported 7, not 9").hasValue(9);
  }

  @Test
  void eachLineOfAMigInstanceIsConfirmedByItsOwnEvent() {
    kernel("mig 94 7");
    kernel("mig 94 9");
    intake.nvml(UUID, 94, OptionalInt.of(9), now);
    assertThat(xids())
        .extracting(Event.Xid::gpuInstance, xid -> xid.origins().contains(Event.Origin.NVML))
        .containsExactly(tuple(OptionalInt.of(7), false), tuple(OptionalInt.of(9), true));
  }

  /** A line or an event may not name the instance. */
  @Test
  void anEventOfAnUnknownInstanceConfirmsALineOfAnInstance() {
    kernel("mig 94 7");
    nvml(94);
    assertThat(only().origins()).containsExactlyInAnyOrder(Event.Origin.KERNEL, Event.Origin.NVML);

    intake.nvml(UUID, 31, OptionalInt.of(7), now);
    kernel("xid 31 12");
    Event.Xid named = only();
    assertThat(named.origins()).containsExactlyInAnyOrder(Event.Origin.KERNEL, Event.Origin.NVML);
    assertThat(named.gpuInstance()).as("NVML names it").hasValue(7);

    kernel("xid 13 12");
    kernel("xid 13 12");
    intake.nvml(UUID, 13, OptionalInt.of(7), now);
    intake.nvml(UUID, 13, OptionalInt.of(9), now);
    assertThat(only().gpuInstance()).as("of two instances").isEmpty();
  }

  @Test
  void aLineOfTheKernelIsAnEventWithItsGpuAndItsSequence() {
    kernel("xid 79 12");

    Event.Xid xid = only();
    assertThat(xid.gpu()).isEqualTo(UUID);
    assertThat(xid.number()).isEqualTo(79);
    assertThat(xid.pid()).hasValue(12);
    assertThat(xid.sequence()).hasValue(101);
    assertThat(xid.origins()).containsExactly(Event.Origin.KERNEL);
  }

  @Test
  void theKernelFirstAndThenNvmlIsOneEventOfBoth() {
    kernel("xid 94 12");
    pass(Duration.ofMillis(100));
    nvml(94);

    Event.Xid xid = only();
    assertThat(xid.times()).isEqualTo(1);
    assertThat(xid.origins()).containsExactlyInAnyOrder(Event.Origin.KERNEL, Event.Origin.NVML);
    pass(Duration.ofSeconds(5));
    assertThat(xids()).isEmpty();
  }

  @Test
  void nvmlFirstAndThenTheKernelIsOneEventOfBoth() {
    nvml(94);
    pass(Duration.ofMillis(400));
    assertThat(xids()).isEmpty();
    kernel("xid 94 12");

    assertThat(only().origins()).hasSize(2);
    pass(Duration.ofSeconds(5));
    assertThat(xids()).isEmpty();
  }

  @Test
  void nvmlsEventLongAfterTheKernelsIsTheSameXid() {
    kernel("xid 94 12");
    assertThat(xids()).hasSize(1);
    pass(Duration.ofSeconds(4));
    nvml(94);
    pass(Duration.ofSeconds(4));

    assertThat(xids()).isEmpty();
  }

  @Test
  void nvmlAloneIsAnEventOnceTheKernelHasHadItsTime() {
    nvml(94);
    pass(Duration.ofMillis(1_300));

    assertThat(only().origins()).containsExactly(Event.Origin.NVML);
  }

  @Test
  void theKernelsLineThatComesTooLateIsReadAndNotCounted() {
    nvml(94);
    pass(Duration.ofMillis(1_300));
    assertThat(xids()).hasSize(1);
    kernel("xid 94 12");

    assertThat(intake.take())
        .singleElement()
        .isEqualTo(new Event.KernelLogRead(now, sequence - 1, 0));
  }

  @Test
  void theKernelsLineThatComesTooLateAndDemandsAnActionIsAnEventThatCountsNothing() {
    nvml(154);
    pass(Duration.ofMillis(1_300));
    assertThat(only().times()).isEqualTo(1);
    kernel("xid 154");

    Event.Xid late = only();
    assertThat(late.times()).isZero();
    assertThat(late.message()).isEqualTo("xid 154");
    assertThat(late.sequence()).hasValue(sequence - 1);
  }

  @Test
  void twoLinesAndOneNvmlEventAreTwo() {
    kernel("xid 94 12");
    nvml(94);
    kernel("xid 94 12");

    assertThat(only().times()).isEqualTo(2);
  }

  @Test
  void oneLineAndTwoNvmlEventsAreTwo() {
    nvml(94);
    nvml(94);
    kernel("xid 94 12");
    assertThat(only().times()).isEqualTo(1);
    pass(Duration.ofSeconds(2));

    assertThat(only().times()).isEqualTo(1);
  }

  @Test
  void aStormIsFewEventsWithTheRightCount() {
    for (int i = 0; i < 20_000; i++) {
      kernel("xid 31 " + i % 4);
    }
    List<Event.Xid> xids = xids();

    assertThat(xids).hasSize(4);
    assertThat(xids.stream().mapToLong(Event.Xid::times).sum()).isEqualTo(20_000);
  }

  @Test
  void aStormOfManyProcessesStaysBounded() {
    for (int i = 0; i < 20_000; i++) {
      kernel("xid 31 " + i);
    }
    List<Event.Xid> xids = xids();

    assertThat(xids).hasSizeLessThan(600);
    assertThat(xids.stream().mapToLong(Event.Xid::times).sum()).isEqualTo(20_000);
  }

  @Test
  void eventsAreInTheOrderOfTheirLastOccurrence() {
    kernel("xid 94 12");
    kernel("xid 63");
    kernel("xid 94 12");

    assertThat(xids()).extracting(Event.Xid::number).containsExactly(63, 94);
  }

  @Test
  void hoursOfALogThatAreReadAtOnceAreInTheOrderOfTime() {
    Instant first = now;
    kernel("xid 94 12");
    pass(Duration.ofHours(1));
    kernel("driver 580.95.05");
    pass(Duration.ofHours(1));
    kernel("xid 63");
    kernel("xid 94 12");
    kernel("xid 94 12");

    assertThat(intake.take().stream().map(Event::at).distinct())
        .containsExactly(first, first.plus(Duration.ofHours(1)), now);
    kernel("xid 94 12");
    kernel("driver 580.95.05");
    kernel("xid 94 12");
    assertThat(intake.take())
        .filteredOn(event -> !(event instanceof Event.KernelLogRead))
        .hasSize(3)
        .element(1)
        .isInstanceOf(Event.DriverLoaded.class);
  }

  @Test
  void whatReturnsAfterALoadOfTheDriverIsNotCountedWithWhatTheLoadResolved() {
    kernel("sxid 12028");
    pass(Duration.ofSeconds(1));
    kernel("driver 580.95.05");
    pass(Duration.ofSeconds(1));
    kernel("sxid 12028");

    assertThat(intake.take())
        .filteredOn(event -> !(event instanceof Event.KernelLogRead))
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly("SXid", "DriverLoaded", "SXid");
  }

  @Test
  void identicalXidsAreOneEventWithin300Milliseconds() {
    kernel("xid 94 12");
    pass(Duration.ofMillis(300));
    kernel("xid 94 12");
    pass(Duration.ofMillis(1));
    kernel("xid 94 12");

    assertThat(xids()).extracting(Event.Xid::times).containsExactly(2L, 1L);
  }

  @Test
  void theTextWithoutTheWordXidIsXid79() {
    kernel("off");

    assertThat(only().number()).isEqualTo(79);
  }

  @Test
  void theTextAndTheXidAreOneFallWhicheverComesFirst() {
    kernel("off");
    pass(Duration.ofSeconds(20));
    kernel("xid 79");
    assertThat(only().times()).isEqualTo(1);

    pass(Duration.ofMinutes(10));
    kernel("xid 79");
    kernel("off");
    kernel("off");
    assertThat(only().times()).isEqualTo(1);
  }

  @Test
  void twoXids79AreOneEventWithTwoOccurrences() {
    kernel("xid 79");
    kernel("xid 79");

    assertThat(only().times()).isEqualTo(2);
  }

  @Test
  void allEventsAreTakenTogetherSoThatNoSequenceIsAhead() {
    kernel("xid 94 12");
    pass(Duration.ofMillis(299));
    kernel("xid 95 12");

    assertThat(xids()).extracting(Event.Xid::number).containsExactly(94, 95);
  }

  @Test
  void itReturnsWhenEventsAreDue() {
    assertThat(intake.due()).isEmpty();
    kernel("xid 94 12");

    assertThat(intake.due()).hasValue(nanos + XidDeduplicator.COALESCE_WINDOW.toNanos());
    xids();
    assertThat(intake.due()).isEmpty();
  }

  @Test
  void aClockThatJumpsBackADayDelaysNothing() {
    kernel("xid 94 12");
    now = now.minus(Duration.ofDays(1));

    assertThat(intake.due()).hasValue(nanos + XidDeduplicator.COALESCE_WINDOW.toNanos());
    assertThat(xids()).hasSize(1);
  }

  @Test
  void anXidOfNvmlBeforeARestartIsNotRecordedAgainFromTheKernelLog() {
    nvml(94);
    pass(Duration.ofMillis(1_300));
    List<Event> before = intake.take();
    XidDeduplicator again = new XidDeduplicator(XidDeduplicatorTest::fact, names, clock);
    again.restore(before);
    again.kernel(
        List.of(
            new KernelRecord(OptionalLong.of(7), Optional.of(now.minusSeconds(1)), "xid 94 12")));

    assertThat(again.take()).noneMatch(Event.Xid.class::isInstance);
  }

  @Test
  void aDriverThatIsLoadedIsAnEvent() {
    kernel("driver 580.95.05");

    assertThat(intake.take())
        .contains(new Event.DriverLoaded(now, "580.95.05"))
        .anyMatch(Event.KernelLogRead.class::isInstance);
  }

  @Test
  void anSxidWithoutASeverityCountsAsFatal() {
    kernel("sxid 26006");
    kernel("sxid 26006");

    assertThat(intake.take())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(((Event.SXid) event).fatal()).isTrue();
              assertThat(((Event.SXid) event).times()).isEqualTo(2);
            });
  }
}
