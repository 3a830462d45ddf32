package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.FileScan.LogLines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Damage in the middle costs the lines it is in. */
class DamagePropertyTest {
  private static final int AROUND = 5;

  @Provide
  Arbitrary<byte[]> rubbish() {
    Arbitrary<byte[]> binary =
        Arbitraries.bytes()
            .array(byte[].class)
            .ofMinSize(1)
            .ofMaxSize(300)
            .map(DamagePropertyTest::oneLine);
    Arbitrary<byte[]> zeros = Arbitraries.integers().between(1, 20_000).map(byte[]::new);
    Arbitrary<byte[]> endless =
        Arbitraries.integers()
            .between(60_000, 1_000_000)
            .map(length -> filled("{\"kind\":\"", length));
    Arbitrary<byte[]> deep = Arbitraries.just(filled("[[[[", 5_000));
    return Arbitraries.oneOf(binary, zeros, endless, deep);
  }

  private static byte[] oneLine(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == '\n' ? (byte) 0xff : bytes[i];
    }
    return bytes;
  }

  private static byte[] filled(String start, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'x');
    byte[] first = start.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(first, 0, bytes, 0, first.length);
    return bytes;
  }

  @Property(tries = 100)
  void aDamagedLineIsSkippedAndReported(
      @ForAll("rubbish") byte[] rubbish, @ForAll @IntRange(max = AROUND - 1) int where)
      throws IOException {
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(EventJson.lines(NumberedEvents.range(0, where)));
      bytes.write(rubbish);
      bytes.write('\n');
      bytes.write(EventJson.lines(NumberedEvents.range(where, AROUND)));
      directory.write(bytes.toByteArray());

      OpenResult opened = directory.replayed();

      assertThat(opened.events()).isEqualTo(NumberedEvents.range(0, AROUND));
      assertThat(opened.malformed()).isEqualTo(1);
      assertThat(opened.problems())
          .singleElement()
          .satisfies(
              problem ->
                  assertThat(problem.toString())
                      .startsWith(directory.file() + ":" + (where + 1) + ": "));
      assertThat(directory.bytes()).isEqualTo(bytes.toByteArray());
    }
  }

  @Property(tries = 100)
  void aChangedByteDamagesAtMostTwoLines(
      @ForAll @IntRange(max = 2_000) int where, @ForAll byte with) throws IOException {
    try (ScratchDirectory directory = ScratchDirectory.make()) {
      List<Event> events = NumberedEvents.range(0, 30);
      byte[] bytes = EventJson.lines(events);
      bytes[where] = with;
      directory.write(bytes);

      OpenResult opened = directory.replayed();

      List<Event> unharmed = new ArrayList<>(opened.events());
      unharmed.retainAll(events);
      assertThat(unharmed).hasSizeGreaterThanOrEqualTo(28);
      assertThat(opened.malformed() + opened.unknownKinds()).isLessThanOrEqualTo(2);
    }
  }

  @Property(tries = 200)
  void linesDoNotDependOnTheSizesOfReads(
      @ForAll @Size(max = 12) List<@IntRange(max = 140_000) Integer> lengths,
      @ForAll boolean ended,
      @ForAll @IntRange(min = 1, max = 70_000) int piece)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < lengths.size(); i++) {
      bytes.write(filled("", lengths.get(i)));
      if (ended || i < lengths.size() - 1) {
        bytes.write('\n');
      }
    }
    List<Integer> expected = new ArrayList<>(lengths);
    if (!ended && !expected.isEmpty() && expected.get(expected.size() - 1) == 0) {
      expected.remove(expected.size() - 1);
    }

    LogLines lines = new LogLines(new Pieces(bytes.toByteArray(), piece));
    long start = 0;
    for (int i = 0; i < expected.size(); i++) {
      assertThat(lines.next()).isTrue();
      assertThat(lines.number).isEqualTo(i + 1);
      assertThat(lines.start).isEqualTo(start);
      assertThat(lines.ended).isEqualTo(ended || i < lengths.size() - 1);
      assertThat(lines.tooLong).isEqualTo(expected.get(i) >= LogLines.MAX_BYTES);
      if (!lines.tooLong) {
        assertThat(lines.length()).isEqualTo(expected.get(i));
      }
      start = lines.end();
      assertThat(start).isEqualTo(lines.start + expected.get(i) + (lines.ended ? 1 : 0));
    }
    assertThat(lines.next()).isFalse();
  }

  /** Hands over a few bytes at a time. */
  private static final class Pieces extends InputStream {
    private final ByteArrayInputStream all;
    private final int piece;

    Pieces(byte[] all, int piece) {
      this.all = new ByteArrayInputStream(all);
      this.piece = piece;
    }

    @Override
    public int read() {
      return all.read();
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return all.read(into, from, Math.min(piece, length));
    }
  }
}
