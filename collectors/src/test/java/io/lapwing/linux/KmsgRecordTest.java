package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KmsgRecordTest {

  private static Optional<KmsgRecord> parse(String record) {
    return KmsgRecord.parse(record.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(String record) {
    return parse(record).orElseThrow().text();
  }

  @Test
  void aRecordHasItsPrioritySequenceTimeAndText() {
    assertThat(parse("3,12345,98765432101,-;NVRM: Xid (PCI:0000:53:00): 79\n"))
        .contains(new KmsgRecord(3, 12345, 98765432101L, "NVRM: Xid (PCI:0000:53:00): 79"));
  }

  @Test
  void furtherFieldsAndOldHeadersAreAccepted() {
    assertThat(text("4,1,2,-,caller=T123;NVRM: a;b,c\n")).isEqualTo("NVRM: a;b,c");
    assertThat(text("4,1,2;NVRM: x\n")).isEqualTo("NVRM: x");
    assertThat(text("4,1,2,-;NVRM: without a newline")).isEqualTo("NVRM: without a newline");
    assertThat(text("4,1,2,-;\n")).isEmpty();
  }

  @Test
  void theDictionaryIsNotText() {
    assertThat(text("4,1,2,-;one\n SUBSYSTEM=pci\n DEVICE=+pci:0000:53:00.0\n DEV_2=x\n"))
        .isEqualTo("one");
  }

  @Test
  void otherContinuationLinesAreText() {
    assertThat(text("4,1,2,-;one\n two = 2\n  three\n SUBSYSTEM=pci\n =4\n"))
        .isEqualTo("one\ntwo = 2\n three\n=4");
  }

  @Test
  void escapedBytesAreUtf8AndInvalidOnesBecomeReplacements() {
    assertThat(text("4,1,2,-;name=\\xc3\\xa4\\x5cx\\x0atwo\n")).isEqualTo("name=ä\\x\ntwo");
    assertThat(text("4,1,2,-;\\xff|\\xC3\n")).isEqualTo("\ufffd|\ufffd");
    assertThat(text("4,1,2,-;\u00ff\n")).isEqualTo("\ufffd");
  }

  @Test
  void invalidEscapesAreKept() {
    assertThat(text("4,1,2,-;\\x4 \\xg0 \\n \\x1")).isEqualTo("\\x4 \\xg0 \\n \\x1");
  }

  @Test
  void aFragmentIsASeparateRecord() {
    assertThat(text("4,1,2,c;NVRM: first\n")).isEqualTo("NVRM: first");
    assertThat(text("4,2,2,+;second\n")).isEqualTo("second");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "NVRM: Xid",
        "4,1,2,-",
        "4,1,2,-\nx;y",
        "-4,1,2,-;x",
        "4,-1,2,-;x",
        ",1,2,-;x",
        "4,,2,-;x",
        "4;1;2,-;x",
        "4;1,2,-;x",
        "4 ,1,2,-;x",
        "0x4,1,2,-;x",
        "4,1111111111111111111,2,-;x",
        "4294967296000000000000,1,2,-;x",
        " 4,1,2,-;x"
      })
  void malformedBytesAreNotARecord(String record) {
    assertThat(parse(record)).isEmpty();
  }

  @Test
  void onlyFacility0IsTheKernel() {
    for (int priority = 0; priority < 3000; priority++) {
      Optional<KernelRecord> record =
          parse(priority + ",7,1500000,-;NVRM: x\n")
              .orElseThrow()
              .ofKernel(Optional.of(Instant.EPOCH));
      assertThat(record.isPresent()).as("priority %d", priority).isEqualTo(priority < 8);
    }
  }

  @Test
  void theTimeIsTheBootTimePlusTheMicroseconds() {
    KmsgRecord record = parse("4,7,1500001,-;NVRM: x\n").orElseThrow();
    Instant boot = Instant.parse("2025-02-23T16:00:00Z");
    assertThat(record.ofKernel(Optional.of(boot)))
        .contains(
            new KernelRecord(
                OptionalLong.of(7),
                Optional.of(Instant.parse("2025-02-23T16:00:01.500001Z")),
                "NVRM: x"));
    assertThat(record.ofKernel(Optional.empty()))
        .contains(new KernelRecord(OptionalLong.of(7), Optional.empty(), "NVRM: x"));
  }

  @Property(tries = 2000)
  void anyBytesAreARecordOrEmpty(@ForAll byte[] bytes) {
    assertThat(KmsgRecord.parse(bytes)).isNotNull();
  }

  @Property(tries = 500)
  void anyBytesAfterAHeaderAreTextAndDoNotChangeTheWriter(
      @ForAll @IntRange(min = 8, max = 4095) int priority,
      @ForAll @LongRange(min = 0) long sequence,
      @ForAll byte[] text) {
    byte[] header =
        (priority + "," + sequence % 1_000_000_000L + ",5,-;").getBytes(StandardCharsets.US_ASCII);
    byte[] record = new byte[header.length + text.length];
    System.arraycopy(header, 0, record, 0, header.length);
    System.arraycopy(text, 0, record, header.length, text.length);
    assertThat(KmsgRecord.parse(record).orElseThrow().ofKernel(Optional.empty())).isEmpty();
  }
}
