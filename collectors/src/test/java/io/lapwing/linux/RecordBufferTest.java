package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class RecordBufferTest {

  private final KernelLogTally tally = new KernelLogTally();
  private final List<String> records = new ArrayList<>();

  private void put(RecordBuffer buffer, String bytes, boolean all) throws InterruptedException {
    put(buffer, bytes.getBytes(StandardCharsets.ISO_8859_1), all);
  }

  private void put(RecordBuffer buffer, byte[] bytes, boolean all) throws InterruptedException {
    int at = 0;
    do {
      int part = Math.min(bytes.length - at, buffer.room().remaining());
      buffer.room().put(bytes, at, part);
      at += part;
      buffer.take(all && at == bytes.length, this::add);
    } while (at < bytes.length);
  }

  private void add(byte[] bytes, int from, int to) {
    records.add(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
  }

  @Test
  void aRecordEndsWhereTheNextStarts() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(true, tally);
    put(buffer, "1;a\n b\n2;c\n", false);
    assertThat(records).containsExactly("1;a\n b\n");
    put(buffer, " d\n", false);
    put(buffer, "3;", false);
    assertThat(records).containsExactly("1;a\n b\n", "2;c\n d\n");
  }

  @Test
  void aRecordEndsIfNothingMoreIsAvailable() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(true, tally);
    put(buffer, "1;a\n b\n", true);
    assertThat(records).containsExactly("1;a\n b\n");
  }

  @Test
  void anIncompleteLineStaysInTheBuffer() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(true, tally);
    put(buffer, "1;a\n b", true);
    assertThat(records).isEmpty();
    put(buffer, "c\n", true);
    assertThat(records).containsExactly("1;a\n bc\n");
  }

  @Test
  void linesOfATextLogAreNotContinued() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(false, tally);
    put(buffer, "a\n b\nc", false);
    assertThat(records).containsExactly("a\n", " b\n");
  }

  @Test
  void aLineOfAMegabyteIsTruncatedOnceAndTheNextOneIsWhole() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(true, tally);
    put(buffer, "1;" + "x".repeat(1_000_000) + "\n2;b\n", true);
    assertThat(records).hasSize(2);
    assertThat(records.get(0)).hasSize(RecordBuffer.CAPACITY).startsWith("1;xxx");
    assertThat(records.get(1)).isEqualTo("2;b\n");
    assertThat(tally.counts().cut()).isEqualTo(1);
  }

  @Test
  void aRecordThatJustFitsIsNotTruncated() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(true, tally);
    String full = "x".repeat(RecordBuffer.CAPACITY - 1) + "\n";
    put(buffer, full, true);
    put(buffer, "2;b\n", true);
    assertThat(records).containsExactly(full, "2;b\n");
    assertThat(tally.counts().cut()).isZero();
  }

  @Test
  void theRestOfALineWithoutItsStartIsDropped() throws InterruptedException {
    RecordBuffer buffer = new RecordBuffer(false, tally);
    buffer.dropToLineEnd();
    put(buffer, "half", false);
    put(buffer, " a line\nwhole\n", true);
    assertThat(records).containsExactly("whole\n");
  }

  @Property(tries = 300)
  void noByteIsLostForAnySequenceOfReads(
      @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 3000) Integer> lengths,
      @ForAll @IntRange(min = 1, max = 5000) int read)
      throws InterruptedException {
    records.clear();
    List<String> written =
        lengths.stream().map(length -> "1" + "\n ".repeat(length / 2) + "\n").toList();
    RecordBuffer buffer = new RecordBuffer(true, tally);
    String all = String.join("", written);
    for (int at = 0; at < all.length(); at += read) {
      put(buffer, all.substring(at, Math.min(all.length(), at + read)), false);
    }
    put(buffer, "", true);
    assertThat(records.stream().collect(Collectors.joining())).isEqualTo(all);
    assertThat(records).allMatch(record -> record.startsWith("1"), "begins with a header");
  }
}
