package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelLogTextTest {

  private static final Instant BOOT = Instant.parse("2025-02-23T10:00:00Z");
  private static final LogDating DATING =
      new LogDating(Optional.of(BOOT), Instant.parse("2025-03-01T00:00:00Z"), ZoneOffset.UTC);

  private static List<KernelRecord> read(String log) {
    return read(log.getBytes(StandardCharsets.UTF_8), DATING);
  }

  private static List<KernelRecord> read(byte[] log, LogDating dating) {
    List<KernelRecord> records = new ArrayList<>();
    for (KernelLogText.Entry entry : entries(log, dating)) {
      if (entry instanceof KernelLogText.Entry.Message one) {
        records.add(one.message());
      }
    }
    return records;
  }

  private static List<KernelLogText.Entry> entries(byte[] log, LogDating dating) {
    List<KernelLogText.Entry> entries = new ArrayList<>();
    new KernelLogText(new ByteArrayInputStream(log), dating).forEachRemaining(entries::add);
    return entries;
  }

  private static KernelLogText.Entry boot(String time, String id) {
    return new KernelLogText.Entry.Boot(
        Optional.of(Instant.parse(time)), Optional.of(id).filter(known -> !known.isEmpty()));
  }

  private static List<KernelLogText.Entry> entries(String log) {
    return entries(log.getBytes(StandardCharsets.UTF_8), DATING);
  }

  /** The times of the boots in a log. */
  private static List<String> boots(String log) {
    return entries(log).stream()
        .filter(KernelLogText.Entry.Boot.class::isInstance)
        .map(entry -> ((KernelLogText.Entry.Boot) entry).at().map(Instant::toString).orElse(""))
        .toList();
  }

  private static KernelRecord at(String time, String text) {
    return new KernelRecord(OptionalLong.empty(), Optional.of(Instant.parse(time)), text);
  }

  private static KernelRecord timeless(String text) {
    return new KernelRecord(OptionalLong.empty(), Optional.empty(), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [16450.435595] NVRM: x                                        | 2025-02-23T14:34:10.435595Z
          [    0.000001] NVRM: x                                        | 2025-02-23T10:00:00.000001Z
          [    0.000001][ T1234] NVRM: x                                | 2025-02-23T10:00:00.000001Z
          [    1.5][    C7] NVRM: x                                     | 2025-02-23T10:00:01.5Z
          [Sun Feb 23 16:24:18 2025] NVRM: x                            | 2025-02-23T16:24:18Z
          [    1.5] [    C7] NVRM: x                                    | 2025-02-23T10:00:01.5Z
          [    1.5] [  T4711] NVRM: x                                   | 2025-02-23T10:00:01.5Z
          [    1.5 <    0.100000>] [    C12] NVRM: x                    | 2025-02-23T10:00:01.5Z
          <4>[    1.5][    C12] NVRM: x                                 | 2025-02-23T10:00:01.5Z
          kern  :warn  : [    1.5] [    C12] NVRM: x                    | 2025-02-23T10:00:01.5Z
          [Sun Feb 23 16:24:18 2025] [    C12] NVRM: x                  | 2025-02-23T16:24:18Z
          kern  :warn  : [Sun Feb 23 16:24:18 2025] [  T4711] NVRM: x   | 2025-02-23T16:24:18Z
          [Feb23 16:24] [    C12] NVRM: x                               | 2025-02-23T16:24:00Z
          2025-02-23T16:24:18,5+00:00 [    C12] NVRM: x                 | 2025-02-23T16:24:18.5Z
          [Sun Feb  2 16:24:18 2025] NVRM: x                            | 2025-02-02T16:24:18Z
          kern  :err   : [    1.000000] NVRM: x                         | 2025-02-23T10:00:01Z
          kern  :notice: [Sun Feb 23 16:24:18 2025] NVRM: x             | 2025-02-23T16:24:18Z
          <3>[    1.000000] NVRM: x                                     | 2025-02-23T10:00:01Z
          Feb 23 16:24:18 ip-10-1-2-3 kernel: [16450.435595] NVRM: x    | 2025-02-23T16:24:18Z
          Feb 23 16:24:18 ip-10-1-2-3 kernel: NVRM: x                   | 2025-02-23T16:24:18Z
          Feb  2 16:24:18 ip-10-1-2-3 kernel: [    1.0][  T12] NVRM: x  | 2025-02-02T16:24:18Z
          Feb 23 16:24:18.123456 host kernel: NVRM: x                   | 2025-02-23T16:24:18.123456Z
          <3>Feb 23 16:24:18 host kernel: NVRM: x                       | 2025-02-23T16:24:18Z
          2025-02-23T16:24:18.123+00:00 host kernel: [    1.0] NVRM: x  | 2025-02-23T16:24:18.123Z
          2025-02-23T16:24:18.123456+02:00 host kernel: NVRM: x         | 2025-02-23T14:24:18.123456Z
          2025-02-23T16:24:18+0000 host kernel: NVRM: x                 | 2025-02-23T16:24:18Z
          2025-02-23T16:24:18-0530 host kernel: NVRM: x                 | 2025-02-23T21:54:18Z
          2025-02-23T16:24:18Z host kernel: NVRM: x                     | 2025-02-23T16:24:18Z
          2025-02-23T16:24:18,123456+00:00 NVRM: x                      | 2025-02-23T16:24:18.123456Z
          2025-02-23T16:24:18,123456-05:00 [  T123] NVRM: x             | 2025-02-23T21:24:18.123456Z
          kern  :err   : 2025-02-23T16:24:18,123456+00:00 NVRM: x       | 2025-02-23T16:24:18.123456Z
          [   12.345678 <    0.000012>] NVRM: x                         | 2025-02-23T10:00:12.345678Z
          [Sun Feb 23 16:24:18 2025 <    0.000012>] NVRM: x             | 2025-02-23T16:24:18Z
          [Feb23 16:24] NVRM: x                                         | 2025-02-23T16:24:00Z
          [Feb 3 16:24] NVRM: x                                         | 2025-02-03T16:24:00Z
          kern  :err   : [Feb23 16:24] NVRM: x                          | 2025-02-23T16:24:00Z
          Sun 2025-02-23 16:24:18 UTC host kernel: NVRM: x              | 2025-02-23T16:24:18Z
          Sun 2025-02-23 16:24:18 CET host kernel: NVRM: x              | 2025-02-23T15:24:18Z
          Tue 2024-07-02 16:24:18 PDT host kernel: NVRM: x              | 2024-07-02T23:24:18Z
          Sun 2025-02-23 16:24:18 +03 host kernel: NVRM: x              | 2025-02-23T13:24:18Z
          Sun 2025-02-23 16:24:18 -0330 host kernel: NVRM: x            | 2025-02-23T19:54:18Z
          1740327858.123456 host kernel: NVRM: x                        | 2025-02-23T16:24:18.123456Z
          [   12.345678] host kernel: NVRM: x                           | 2025-02-23T10:00:12.345678Z
          <3>1 2025-02-23T16:24:18.123Z host kernel - - - NVRM: x       | 2025-02-23T16:24:18.123Z
          <3>1 2025-02-23T16:24:18.123456+01:00 host kernel - - - \ufeffNVRM: x | 2025-02-23T15:24:18.123456Z
          <3>1 2025-02-23T16:24:18Z host kernel - ID1 [a b="c"][d] NVRM: x | 2025-02-23T16:24:18Z
          2025-02-23T16:24:18.123Z NVRM: x                              | 2025-02-23T16:24:18.123Z
          2025-02-23T16:24:18.123Z [   12.345678] NVRM: x               | 2025-02-23T16:24:18.123Z
          """)
  void aKernelLineIsARecordInEachFormat(String line, String time) {
    assertThat(read(line + "\n")).containsExactly(at(time, "NVRM: x"));
    assertThat(read(line)).containsExactly(at(time, "NVRM: x"));
    assertThat(read(line + "\r\n")).containsExactly(at(time, "NVRM: x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NVRM: x",
        "kern  :err   : NVRM: x",
        "kern  :err   : [    C12] NVRM: x",
        "[    C12] NVRM: x",
        "<3>NVRM: x",
        "Feb 31 16:24:18 host kernel: NVRM: x",
        "Feb 23 25:24:18 host kernel: NVRM: x",
        "2025-02-30T16:24:18Z host kernel: NVRM: x",
        "2025-02-23T16:24:18+9900 host kernel: NVRM: x",
        "[Xyz Foo 23 16:24:18 2025] NVRM: x"
      })
  void aLineWithAnImpossibleTimeIsARecordWithoutTime(String line) {
    assertThat(read(line + "\n")).containsExactly(timeless("NVRM: x"));
  }

  @Test
  void aBareLineMayBeOfASwitch() {
    assertThat(read("nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 26006, SOE HALTED\n"))
        .containsExactly(timeless("nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 26006, SOE HALTED"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Feb 23 16:24:18 host python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 host python: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 host kernel[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 host my kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 python[1]: kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 python: kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 host a kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 NVRM: Xid (PCI:0000:53:00): 79",
        "<14>Feb 23 16:24:18 host kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "2025-02-23T16:24:18.123+00:00 host python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "2025-02-23T16:24:18+0000 host python[123]: kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "[   12.345678] python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "[   12.345678] host python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "[Sun Feb 23 16:24:18 2025] systemd[1]: NVRM: Xid (PCI:0000:53:00): 79",
        "user  :err   : [   12.345678] NVRM: Xid (PCI:0000:53:00): 79",
        "daemon:err   : [   12.345678] NVRM: Xid (PCI:0000:53:00): 79",
        "user  :err   : kern  :err   : [   12.345678] NVRM: Xid (PCI:0000:53:00): 79",
        "<11>[   12.345678] NVRM: Xid (PCI:0000:53:00): 79",
        "<11>NVRM: Xid (PCI:0000:53:00): 79",
        "12,1,2,-;NVRM: Xid (PCI:0000:53:00): 79",
        "12,1,2,-;x\n NVRM: Xid (PCI:0000:53:00): 79",
        " NVRM: Xid (PCI:0000:53:00): 79",
        " 4,1,2,-;NVRM: Xid (PCI:0000:53:00): 79",
        "x NVRM: Xid (PCI:0000:53:00): 79",
        "2025-02-23 16:24:18 INFO NVRM: Xid (PCI:0000:53:00): 79",
        "2025-02-23T16:24:18,123456+00:00 python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "2025-02-23T16:24:18.123456+00:00 host NVRM: Xid (PCI:0000:53:00): 79",
        "2025-02-23T16:24:18.123456+00:00 host python[123]: [   12.345678] NVRM: Xid (PCI:0000:53:00): 79",
        "user  :err   : 2025-02-23T16:24:18,123456+00:00 NVRM: Xid (PCI:0000:53:00): 79",
        "user  :err   : [  +0.000012] NVRM: Xid (PCI:0000:53:00): 79",
        "[  +0.000012] python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "[Feb23 16:24] python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "[   12.345678 <    0.000012>] python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "[   12.345678] host python[123]: kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "Sun 2025-02-23 16:24:18 UTC host python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "Sun 2025-02-23 16:24:18 UTC python[123]: kernel: NVRM: Xid (PCI:0000:53:00): 79",
        "1740327858.123456 host python[123]: NVRM: Xid (PCI:0000:53:00): 79",
        "<11>1 2025-02-23T16:24:18.123Z host kernel - - - NVRM: Xid (PCI:0000:53:00): 79",
        "<3>1 2025-02-23T16:24:18.123Z host python - - - NVRM: Xid (PCI:0000:53:00): 79",
        "<3>1 2025-02-23T16:24:18.123Z host kernel 123 - - NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 host python[1]: x\n                    NVRM: Xid (PCI:0000:53:00): 79",
        "Feb 23 16:24:18 host python[1]: x#012NVRM: Xid (PCI:0000:53:00): 79",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"_TRANSPORT\":\"syslog\",\"MESSAGE\":\"NVRM: Xid (PCI:0000:53:00): 79\"}",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_FACILITY\":\"1\",\"MESSAGE\":\"NVRM: Xid (PCI:0000:53:00): 79\"}",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_FACILITY\":[\"0\",\"1\"],\"MESSAGE\":\"NVRM: Xid (PCI:0000:53:00): 79\"}",
        "{\"__REALTIME_TIMESTAMP\":\"1\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_IDENTIFIER\":\"python\",\"MESSAGE\":\"NVRM: Xid (PCI:0000:53:00): 79\"}",
        "{\"log\":\"[   12.345678] python[1]: NVRM: Xid (PCI:0000:53:00): 79\\n\"}",
        "{\"log\":\"INFO NVRM: Xid (PCI:0000:53:00): 79\\n\"}",
        "{\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"NVRM: Xid (PCI:0000:53:00): 79\"}",
        "MESSAGE=NVRM: Xid (PCI:0000:53:00): 79",
        "_TRANSPORT=kernel\nMESSAGE=NVRM: Xid (PCI:0000:53:00): 79"
      })
  void aForgedLineIsNotARecord(String line) {
    assertThat(read(line + "\n")).isEmpty();
  }

  @Test
  void recordsOfTheDeviceAreReadWithTheirContinuations() {
    assertThat(
            read(
                """
                4,10,1000000,-;NVRM: one
                 SUBSYSTEM=pci
                 more
                12,11,1000001,-;NVRM: forged
                6,12,2000000,-,caller=T1;NVRM: two\\x0alines
                Feb 23 16:24:18 host kernel: NVRM: three
                 not of it
                4,13,3000000,-;NVRM: four"""))
        .containsExactly(
            new KernelRecord(
                OptionalLong.of(10), Optional.of(BOOT.plusSeconds(1)), "NVRM: one\nmore"),
            new KernelRecord(
                OptionalLong.of(12), Optional.of(BOOT.plusSeconds(2)), "NVRM: two\nlines"),
            at("2025-02-23T16:24:18Z", "NVRM: three"),
            new KernelRecord(OptionalLong.of(13), Optional.of(BOOT.plusSeconds(3)), "NVRM: four"));
  }

  @Test
  void secondsSinceAnUnknownBootCannotBeDated() {
    LogDating unknown = new LogDating(Optional.empty(), Instant.EPOCH, ZoneOffset.UTC);
    byte[] log = "[16450076.435595] NVRM: x\n4,7,8,-;NVRM: y\n".getBytes(StandardCharsets.UTF_8);
    assertThat(read(log, unknown))
        .containsExactly(
            timeless("NVRM: x"), new KernelRecord(OptionalLong.of(7), Optional.empty(), "NVRM: y"));
  }

  @Test
  void timesWithoutAZoneAreInTheDefaultZone() {
    LogDating berlin =
        new LogDating(
            Optional.empty(), Instant.parse("2025-07-02T00:00:00Z"), ZoneId.of("Europe/Berlin"));
    byte[] log =
        "[Tue Jul  1 12:00:00 2025] NVRM: x\nJul  1 12:00:00 host kernel: NVRM: x\n"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(read(log, berlin)).containsOnly(at("2025-07-01T10:00:00Z", "NVRM: x")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "2025-01-03T00:00:00Z, Dec 31 23:59:59, 2024-12-31T23:59:59Z",
    "2025-01-03T00:00:00Z, Jan  1 00:00:01, 2025-01-01T00:00:01Z",
    "2024-12-31T23:59:58Z, Jan  1 00:00:01, 2025-01-01T00:00:01Z",
    "2025-03-01T00:00:00Z, Mar  3 00:00:00, 2024-03-03T00:00:00Z",
    "2026-03-01T00:00:00Z, Feb 29 12:00:00, 2024-02-29T12:00:00Z",
    "2104-02-01T00:00:00Z, Feb 29 12:00:00, 2096-02-29T12:00:00Z"
  })
  void aTimeWithoutAYearIsTheLatestThatIsNotInTheFuture(String now, String line, String time) {
    LogDating dating = new LogDating(Optional.empty(), Instant.parse(now), ZoneOffset.UTC);
    byte[] log = (line + " host kernel: NVRM: x").getBytes(StandardCharsets.UTF_8);
    assertThat(read(log, dating)).containsExactly(at(time, "NVRM: x"));
  }

  private static byte[] binary(String name, String value) throws IOException {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write((name + "\n").getBytes(StandardCharsets.US_ASCII));
    field.write(
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(text.length)
            .array());
    field.write(text);
    field.write('\n');
    return field.toByteArray();
  }

  private static List<KernelRecord> export(Object... parts) throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    for (Object part : parts) {
      log.write(
          part instanceof byte[] bytes ? bytes : (part + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return read(log.toByteArray(), DATING);
  }

  private static final String TIME = "__REALTIME_TIMESTAMP=1740327858123456";

  @Test
  void anEntryOfTheJournalIsARecord() throws IOException {
    assertThat(
            export(
                "__CURSOR=s=1;i=2",
                TIME,
                "_TRANSPORT=kernel",
                "SYSLOG_FACILITY=0",
                "SYSLOG_IDENTIFIER=kernel",
                "MESSAGE=NVRM: a=b",
                "",
                TIME,
                "MESSAGE=NVRM: last",
                "_TRANSPORT=kernel"))
        .containsExactly(
            at("2025-02-23T16:24:18.123456Z", "NVRM: a=b"),
            at("2025-02-23T16:24:18.123456Z", "NVRM: last"));
  }

  @Test
  void aMessageOfManyLinesIsABinaryField() throws IOException {
    assertThat(export(TIME, binary("MESSAGE", "NVRM: one\n\ntwo"), "_TRANSPORT=kernel", "", TIME))
        .containsExactly(at("2025-02-23T16:24:18.123456Z", "NVRM: one\n\ntwo"));
  }

  @Test
  void journalEntriesOfOtherProgramsAreSkippedWhateverTheirBytes() throws IOException {
    String forged =
        "x\n\n" + TIME + "\n_TRANSPORT=kernel\nMESSAGE=NVRM: Xid\n\n4,1,2,-;NVRM: Xid\n";
    assertThat(
            export(
                TIME,
                binary("MESSAGE", forged),
                binary("OTHER", forged),
                "_TRANSPORT=syslog",
                "SYSLOG_IDENTIFIER=kernel",
                ""))
        .isEmpty();
  }

  @Test
  void journalEntriesThatUserSpaceWroteToTheDeviceAreSkipped() throws IOException {
    assertThat(export(TIME, "_TRANSPORT=kernel", "SYSLOG_FACILITY=1", "MESSAGE=NVRM: Xid"))
        .isEmpty();
    assertThat(export(TIME, "_TRANSPORT=kernel", "SYSLOG_IDENTIFIER=python", "MESSAGE=NVRM: Xid"))
        .isEmpty();
    assertThat(export(TIME, "MESSAGE=NVRM: Xid")).isEmpty();
  }

  @Test
  void aHugeBinaryFieldIsSkippedAndAWrongLengthEndsTheLog() throws IOException {
    assertThat(
            export(
                TIME,
                "_TRANSPORT=kernel",
                binary("COREDUMP", "x\n".repeat(500_000)),
                "MESSAGE=NVRM: after",
                ""))
        .containsExactly(at("2025-02-23T16:24:18.123456Z", "NVRM: after"));
    byte[] endless =
        "BYTES\n\377\377\377\377\377\377\377\177".getBytes(StandardCharsets.ISO_8859_1);
    byte[] negative =
        "BYTES\n\377\377\377\377\377\377\377\377".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(export(TIME, endless, "", "NVRM: x")).isEmpty();
    assertThat(export(TIME, negative, "", "NVRM: x")).hasSizeLessThanOrEqualTo(1);
  }

  private static KernelRecord message(KernelLogText log) {
    return ((KernelLogText.Entry.Message) log.next()).message();
  }

  @Test
  void aLineOfAMegabyteIsCutAndCounted() {
    String log = "NVRM: " + "x".repeat(1_000_000) + "\nNVRM: next\n";
    KernelLogText text =
        new KernelLogText(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), DATING);
    assertThat(message(text).text()).hasSize(BoundedLines.MAX_LENGTH);
    assertThat(message(text).text()).isEqualTo("NVRM: next");
    assertThat(text.hasNext()).isFalse();
    assertThat(text.tally()).isEqualTo(new KernelLogText.Tally(2, 2, 2, 1));
    assertThatThrownBy(text::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void manyContinuationLinesDoNotFillTheMemory() {
    List<KernelRecord> records =
        read("4,1,2,-;NVRM: x\n" + " yyyyyyyyy\n".repeat(100_000) + "4,2,2,-;NVRM: z\n");
    assertThat(records).hasSize(2);
    assertThat(records.get(0).text()).hasSizeLessThanOrEqualTo(BoundedLines.MAX_LENGTH);
    assertThat(records.get(1).text()).isEqualTo("NVRM: z");
  }

  private static KernelLogText.Tally tally(String log) {
    KernelLogText text =
        new KernelLogText(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), DATING);
    while (text.hasNext()) {
      text.next();
    }
    return text.tally();
  }

  @Test
  void linesOfUnknownFormAreCounted() {
    assertThat(tally("{\"a\":1}\n{}\n{\nhello\n{\"log\":\"hello\"}\n  indented\n"))
        .isEqualTo(new KernelLogText.Tally(6, 0, 0, 0));
    assertThat(
            tally(
                """
                -- Journal begins at Fri 2025-01-03 08:00:00 UTC. --
                Feb 23 16:24:18 host kernel: usb 1-1: new device

                Feb 23 16:24:18 host sshd[1]: hello
                                              and more
                hello
                """))
        .isEqualTo(new KernelLogText.Tally(5, 4, 1, 0));
  }

  @Test
  void timesSinceTheLineBeforeAddUp() {
    assertThat(
            read(
                """
                [  +0.000012] NVRM: undated
                [Feb23 16:24] NVRM: one
                [  +1.500000] NVRM: two
                [  +0.250000] python[1]: of another program
                [  +0.250000] NVRM: three
                [<    0.500000>] NVRM: four
                [ +50.000000] NVRM: five
                [Feb23 16:25] NVRM: six
                """))
        .containsExactly(
            timeless("NVRM: undated"),
            at("2025-02-23T16:24:00Z", "NVRM: one"),
            at("2025-02-23T16:24:01.500Z", "NVRM: two"),
            at("2025-02-23T16:24:02Z", "NVRM: three"),
            at("2025-02-23T16:24:02.500Z", "NVRM: four"),
            at("2025-02-23T16:24:52.500Z", "NVRM: five"),
            at("2025-02-23T16:25:00Z", "NVRM: six"));
  }

  private static final String SENTENCE =
      """
      NVRM: The NVIDIA GPU 0000:18:00.0
      NVRM: (PCI ID: 10de:2901) installed in this system has
      NVRM: fallen off the bus and is not responding to commands.""";

  /** The message of three lines as util-linux' dmesg 2.39 and systemd's journalctl print it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[   12.345678] ",
        "kern  :alert : [   12.345678] ",
        "[Sun Feb 23 16:24:18 2025] ",
        "Feb 23 16:24:18 host kernel: ",
        "2025-02-23T16:24:18+0000 host kernel: "
      })
  void theFurtherLinesOfAMessageAreIndented(String prefix) {
    String indented = SENTENCE.replace("\n", "\n" + " ".repeat(prefix.length()));
    assertThat(read(prefix + indented + "\n" + prefix + "NVRM: x\n"))
        .extracting(KernelRecord::text)
        .containsExactly(SENTENCE, "NVRM: x");
    assertThat(read(prefix + indented)).extracting(KernelRecord::text).containsExactly(SENTENCE);
  }

  @Test
  void syslogEscapesTheNewlinesOfAMessage() {
    String line = "Feb 23 16:24:18 host kernel: [ 12.0] " + SENTENCE.replace("\n", "#012");
    assertThat(read(line)).extracting(KernelRecord::text).containsExactly(SENTENCE);
    assertThat(KernelLogLine.syslog(line, DATING).orElseThrow().text()).isEqualTo(SENTENCE);
    assertThat(read("Feb 23 16:24:18 host kernel: NVRM: name=a#012b"))
        .extracting(KernelRecord::text)
        .containsExactly("NVRM: name=a#012b");
  }

  private static String json(String boot, String message) {
    return "{\"__CURSOR\":\"s=1\",\"__REALTIME_TIMESTAMP\":\"1740327858123456\",\"_BOOT_ID\":\""
        + boot.repeat(32)
        + "\",\"_TRANSPORT\":\"kernel\",\"SYSLOG_FACILITY\":\"0\",\"SYSLOG_IDENTIFIER\":\"kernel\","
        + "\"MESSAGE\":"
        + message
        + "}\n";
  }

  @Test
  void anEntryOfTheJournalMayBeJson() {
    String log = json("a", "\"NVRM: x\"") + json("a", "[78,86,82,77,58,32,255]");
    assertThat(read(log))
        .containsExactly(
            at("2025-02-23T16:24:18.123456Z", "NVRM: x"),
            at("2025-02-23T16:24:18.123456Z", "NVRM: \ufffd"));
    assertThat(tally(log + json("a", "null") + json("a", "[\"x\"]") + json("a", "{}")))
        .isEqualTo(new KernelLogText.Tally(5, 4, 4, 0));
  }

  @Test
  void aLineOfAContainerRuntimeIsJsonAroundALine() {
    String time = "\"stream\":\"stdout\",\"time\":\"2025-02-23T16:24:18.123456789Z\"}";
    assertThat(read("{\"log\":\"[   12.345678] NVRM: x\\n\"," + time))
        .containsExactly(at("2025-02-23T16:24:18.123456789Z", "NVRM: x"));
    assertThat(read("{\"log\":\"NVRM: x\\r\\n\"," + time))
        .containsExactly(at("2025-02-23T16:24:18.123456789Z", "NVRM: x"));
    assertThat(read("{\"log\":\"2024-02-23T16:24:18,1+00:00 NVRM: x\"}"))
        .containsExactly(at("2024-02-23T16:24:18.1Z", "NVRM: x"));
  }

  @Test
  void aBootStartsWithTheKernelsVersion() {
    assertThat(
            boots(
                """
                Feb 23 16:24:18 host kernel: Linux version 6.8.0-1029-aws
                Feb 23 16:24:19 host kernel: NVRM: x
                Feb 23 16:24:20 host python[1]: Linux version 6.8.0-1029-aws
                Feb 23 17:24:18 host kernel: Linux version 6.8.0-1029-aws
                """))
        .containsExactly("2025-02-23T16:24:18Z", "2025-02-23T17:24:18Z");
  }

  @Test
  void aBootStartsWhereSecondsStartAgain() {
    assertThat(
            entries(
                """
                [   12.000000] NVRM: one
                [ 9000.000000] NVRM: two
                [ 8999.999999] NVRM: of another CPU
                [   42.000000] NVRM: three
                [   43.000000] Linux version 6.8.0-1029-aws
                4,1,50000000,-;NVRM: four
                4,1,2000000,-;NVRM: five
                """))
        .filteredOn(KernelLogText.Entry.Boot.class::isInstance)
        .hasSize(2)
        .first()
        .isEqualTo(boot("2025-02-23T12:30:41.999999Z", ""));
    assertThat(boots("[ 9000.0] NVRM: x\n[ 5000.0] NVRM: y\n")).isEmpty();
  }

  /** The name of a process has at most 15 bytes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Linux version 9[4242]: segfault at 0 ip 0 sp 0 error 4 in 9.9 (a@b)[1+1]",
        "Linux version 9 invoked oom-killer: gfp_mask=0x100cca(GFP), order=0",
        "Linux version 9: page allocation failure: order:0",
        "Linux version 9 (4242) used greatest stack depth: 9 bytes left",
        "Linux version 9(4242): drop_caches: 3",
        "Linux version [4242]: segfault at 0 ip 0 sp 0",
      })
  void noProcessForgesABoot(String message) {
    assertThat(boots("[ 9000.0] NVRM: x\n[ 9001.0] " + message + "\n")).isEmpty();
    assertThat(boots("Feb 23 16:24:18 host kernel: " + message + "\n")).isEmpty();
    assertThat(boots("4,1,9000000000,-;" + message + "\n")).isEmpty();
  }

  /** {@code cat kern.log kern.log.1} is no boot. */
  @Test
  void earlierDatesAreNotABoot() {
    assertThat(
            boots(
                """
                Feb 23 16:24:18 host kernel: [ 9000.000000] NVRM: x
                Feb 23 13:54:18 host kernel: [    5.000000] NVRM: y
                Feb 23 17:24:18 host kernel: [    7.000000] NVRM: y
                """))
        .isEmpty();
    assertThat(
            boots(
                """
                Feb 23 16:24:18 host kernel: [ 9000.000000] NVRM: x
                Feb 23 17:24:18 host kernel: [    5.000000] NVRM: y
                """))
        .containsExactly("2025-02-23T17:24:18Z");
  }

  @Test
  void theJournalMarksBoots() throws IOException {
    assertThat(
            boots(
                """
                Feb 23 16:24:18 host kernel: NVRM: x
                -- Boot 91e5da22438a3d879584c0c11f0a2df0 --
                Feb 23 16:34:18 host systemd[1]: x
                Feb 23 16:34:19 host kernel: Linux version 6.8.0-1029-aws
                -- Reboot --
                Feb 23 16:44:18 host kernel: x
                """))
        .containsExactly("2025-02-23T16:34:18Z", "2025-02-23T16:44:18Z");
    assertThat(entries(json("a", "\"x\"") + json("a", "\"x\"") + json("b", "\"Linux version 6\"")))
        .hasSize(4)
        .contains(boot("2025-02-23T16:24:18.123456Z", "b".repeat(32)));
    assertThat(
            boots(
                String.join(
                    "\n",
                    TIME,
                    "_BOOT_ID=" + "a".repeat(32),
                    "MESSAGE=x",
                    "",
                    TIME,
                    "_BOOT_ID=" + "b".repeat(32),
                    "MESSAGE=x",
                    "")))
        .containsExactly("2025-02-23T16:24:18.123456Z");
  }

  @Test
  void bytesThatAreNotUtf8BecomeReplacements() {
    byte[] log = "NVRM: \u00ff\u00fe\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(read(log, DATING)).containsExactly(timeless("NVRM: \ufffd\ufffd"));
  }

  @Test
  void aBrokenStreamIsAnErrorNotAnEnd() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the disk is gone");
          }

          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            throw new IOException("the disk is gone");
          }
        };
    assertThatThrownBy(new KernelLogText(broken, DATING)::hasNext)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("the disk is gone");
  }

  @Property(tries = 2000)
  void anyBytesAreALog(@ForAll byte[] log) {
    assertThat(read(log, DATING)).isNotNull();
  }

  /** Lines that start as a known form does, and go on as they like. */
  @Property(tries = 3000)
  void noLineThrows(@ForAll @From("starts") String start, @ForAll String rest) {
    String log = start + rest + "\n" + start + "\n" + rest;
    KernelLogText text =
        new KernelLogText(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), DATING);
    long messages = 0;
    while (text.hasNext()) {
      messages += text.next() instanceof KernelLogText.Entry.Message ? 1 : 0;
    }
    KernelLogText.Tally tally = text.tally();
    assertThat(tally.records()).isEqualTo(messages).isLessThanOrEqualTo(tally.known());
    assertThat(tally.known()).isLessThanOrEqualTo(tally.lines());
  }

  @Provide
  Arbitrary<String> starts() {
    return Arbitraries.of(
        "2025-02-23T16:24:18,",
        "2025-02-23T16:24:18,123456+00:00 ",
        "2025-02-23T16:24:18Z ",
        "[Feb23 16:24] ",
        "[Feb99 16:24] ",
        "[  +",
        "[  +999999999.999999999] ",
        "[  +0.000012] ",
        "[ 999999999999.999999999] ",
        "[   12.345678 <    0.000012>] ",
        "[<    0.000012>] ",
        "Sun 2025-02-23 16:24:18 ",
        "Sun 2025-02-23 16:24:18 XYZ host kernel: ",
        "Sun 2025-02-23 16:24:18 +99 host kernel: ",
        "99999999999.123456 host kernel: ",
        "<3>1 2025-02-23T16:24:18Z host kernel - - ",
        "<3>1 ",
        "-- ",
        "-- Boot ",
        "    ",
        "\t",
        "{",
        "{\"log\":\"",
        "{\"__REALTIME_TIMESTAMP\":\"99999999999999999\",\"MESSAGE\":",
        "4,1,999999999999999999,-;",
        "__CURSOR=");
  }

  @Property(tries = 1000)
  void noTextMakesALineOfAnotherProgramARecord(@ForAll String text) {
    String line = text.replace('\n', ' ').replace('\r', ' ');
    assertThat(read("Feb 23 16:24:18 host python[1]: " + line)).isEmpty();
    assertThat(read("2025-02-23T16:24:18Z host python[1]: " + line)).isEmpty();
    assertThat(read("user  :err   : [    1.0] " + line)).isEmpty();
    assertThat(read("[    1.0] python[1]: " + line)).isEmpty();
    assertThat(read("[  +0.000001] python[1]: " + line)).isEmpty();
    assertThat(read("1740327858.123456 host python[1]: " + line)).isEmpty();
    assertThat(read("Sun 2025-02-23 16:24:18 UTC host python[1]: " + line)).isEmpty();
    assertThat(read("<11>1 2025-02-23T16:24:18Z host kernel - - - " + line)).isEmpty();
    assertThat(read("12,1,2,-;" + line)).isEmpty();
  }

  @Test
  void recordedLogsAreReadCompletely() throws IOException {
    List<Path> logs = recordedLogs();
    assumeFalse(logs.isEmpty(), "no recorded/kernel-log/*.dmesg in a folder beside the repository");
    for (Path log : logs) {
      List<KernelRecord> records = read(Files.readAllBytes(log), DATING);
      assertThat(records)
          .hasSameSizeAs(Files.readAllLines(log))
          .anySatisfy(record -> assertThat(record.text()).startsWith("NVRM: Xid ("))
          .allSatisfy(record -> assertThat(record.at()).isPresent());
    }
  }

  private static List<Path> recordedLogs() throws IOException {
    List<Path> logs = new ArrayList<>();
    Path besides = Path.of("").toAbsolutePath().resolve("../..").normalize();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(besides, Files::isDirectory)) {
      for (Path folder : folders) {
        Path recorded = folder.resolve("recorded/kernel-log");
        if (Files.isDirectory(recorded)) {
          try (DirectoryStream<Path> dmesg = Files.newDirectoryStream(recorded, "*.dmesg")) {
            dmesg.forEach(logs::add);
          }
        }
      }
    }
    return logs;
  }
}
