package io.lapwing.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.linux.ParseFailure;
import io.lapwing.linux.ScratchFolder;
import io.lapwing.lnet.LnetTable.LnetFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed files of LNet. */
class LnetFilesTest {

  private static final String HEADER_OF_PEERS =
      "nid                      refs state  last   max   rtr   min    tx   min queue\n";

  /** Like the kernel's {@code peers}: one line per read, and an error if it does not fit. */
  private static class OneLineEachRead implements ReadableByteChannel {
    private final Deque<String> lines;
    private final int staleAt;

    OneLineEachRead(String text, int staleAt) {
      lines = new ArrayDeque<>(text.lines().toList());
      this.staleAt = lines.size() - staleAt;
    }

    @Override
    public int read(ByteBuffer room) throws IOException {
      if (lines.size() == staleAt) {
        throw new IOException("Stale file handle");
      }
      if (lines.isEmpty()) {
        return -1;
      }
      byte[] line = (lines.removeFirst() + "\n").getBytes(StandardCharsets.ISO_8859_1);
      if (room.remaining() < 256) {
        throw new IOException("Invalid argument");
      }
      room.put(line);
      return line.length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  private static RecordedSink page(String name, byte[] bytes) throws IOException {
    try (ScratchFolder dir = ScratchFolder.make()) {
      return LnetTree.inDebugfs(dir.path()).whole().file(name, bytes).page(true);
    }
  }

  @Test
  void aTableIsParsedAgainOnlyAfterAChange() throws IOException {
    try (ScratchFolder dir = ScratchFolder.make()) {
      List<String> parsed = new ArrayList<>();
      LnetTable<String> table =
          new LnetTable<>(
              "nis",
              (file, text) -> {
                parsed.add(text);
                return text.strip();
              });
      RecordedSink sink = new RecordedSink();
      for (String text : List.of("one\n", "one\n", "two\n")) {
        Files.writeString(dir.path().resolve("nis"), text);
        assertThat(table.read(dir.path(), sink)).contains(text.strip());
      }
      assertThat(parsed).containsExactly("one\n", "two\n");
    }
  }

  private static LnetStats.Counts counts(String text) throws ParseFailure {
    return LnetStats.Counts.parse("stats", text);
  }

  /** Whether parsing fails with the declared exception. */
  private static boolean isRejected(LnetTable.Parser<?> parser, String text) {
    try {
      parser.parse("file", text);
      return false;
    } catch (ParseFailure expected) {
      return true;
    }
  }

  @Test
  void aFileWithOneLinePerReadIsReadToItsEnd() {
    String peers = HEADER_OF_PEERS + "10.0.1.1@tcp 4 NA -1 8 8 8 8 -12 0\n".repeat(2_000);
    assertThat(new LnetFile().text("peers", () -> new OneLineEachRead(peers, -1)))
        .isEqualTo(Reading.of(peers));
  }

  @Test
  void aTableThatChangesDuringReadingIsReadAgain() {
    Deque<Integer> staleAt = new ArrayDeque<>(List.of(2, 3, -1));
    assertThat(
            new LnetFile()
                .text("peers", () -> new OneLineEachRead(LnetTree.PEERS, staleAt.removeFirst())))
        .isEqualTo(Reading.of(LnetTree.PEERS));
    assertThat(new LnetFile().text("peers", () -> new OneLineEachRead(LnetTree.PEERS, 2)))
        .isEqualTo(new Reading.Failed<>("peers", "gone"));
  }

  @Test
  void aFileWithoutEndIsMalformed() {
    ReadableByteChannel endless =
        new OneLineEachRead("", -1) {
          @Override
          public int read(ByteBuffer room) {
            int bytes = room.remaining();
            room.position(room.limit());
            return bytes;
          }
        };
    assertThat(new LnetFile().text("peers", () -> endless))
        .isEqualTo(new Reading.Failed<>("peers", "malformed"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "18 341 0 902113 902098 0 3 61223344551 201122334455 0\n",
        "18 341 0 902113 902098 0 3 61223344551 201122334455 0 1440 7\n",
        "18 341 0 902113 902098 0 3 61223344551 201122334455 0 1440",
        "18 341 -1 902113 902098 0 3 61223344551 201122334455 0 1440\n",
        "18 341 0 902113 902098 0 3 61223344551 18446744073709551616 0 1440\n",
        "18 341 0 +1 902098 0 3 61223344551 201122334455 0 1440\n",
        "18 341 N/A 902113 902098 0 3 61223344551 201122334455 0 1440\n",
      })
  void otherThanElevenNumbersIsRejected(String text) {
    assertThat(isRejected(LnetStats.Counts::parse, text)).isTrue();
  }

  @Test
  void byteCountsHave64Bits() throws ParseFailure, IOException {
    String most = LnetTree.STATS.replace("61223344551", "18446744073709551615");
    assertThat(counts(most).sentBytes()).isEqualTo(-1L);
    assertThat(
            page("stats", most.getBytes(StandardCharsets.ISO_8859_1)).value(LnetMetrics.SENT_BYTES))
        .hasValue(0x1p64);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nid refs state last max rtr min tx min\n",
        HEADER_OF_PEERS + "10.0.1.15@tcp 4 NA -1 8 8 8 8 -12\n",
        HEADER_OF_PEERS + "10.0.1.15@tcp 4 NA -1 8 8 8 8 -12 0",
        HEADER_OF_PEERS + "10.0.1.15@tcp 4 what -1 8 8 8 8 -12 0\n",
        HEADER_OF_PEERS + "10.0.1.15@tcp 4 NA -1 8 8 8 8 -12 2147483648\n",
        HEADER_OF_PEERS + "10.0.1.15@tcp 4 NA -1 8 8 8 x -12 0\n",
        HEADER_OF_PEERS + "10.0.1.15 4 NA -1 8 8 8 8 -12 0\n",
        HEADER_OF_PEERS + "10.0.1.15@tcp 4 NA -1 8 8 8 8 -12 0\n\n",
      })
  void aMalformedTableIsRejected(String text) {
    assertThat(isRejected(LnetPeers.Peer::parse, text)).isTrue();
  }

  @Test
  void aTableWithOnlyAHeaderIsEmpty() throws ParseFailure {
    assertThat(LnetPeers.Peer.parse("peers", HEADER_OF_PEERS)).isEmpty();
  }

  @Property(tries = 200)
  void anyBytesAreCountedAsAFailureOrAreNumbersOfTheFile(
      @ForAll byte[] bytes, @ForAll @IntRange(max = 2) int which) throws IOException {
    RecordedSink page = page(List.of("stats", "nis", "peers").get(which), bytes);
    assertThat(page.failures()).hasSize(1);
    assertThat(page.failures().get(0)).endsWith(": malformed");
  }

  @Property(tries = 300)
  void aTruncatedStatsFileIsRejected(@ForAll @IntRange(max = 60) int length) {
    int cut = Math.min(length, LnetTree.STATS.length() - 1);
    assertThat(isRejected(LnetStats.Counts::parse, LnetTree.STATS.substring(0, cut))).isTrue();
  }

  @Property(tries = 300)
  void aTruncatedTableHasWholeLinesOnly(@ForAll @IntRange(max = 400) int length)
      throws ParseFailure {
    String cut = LnetTree.PEERS.substring(0, Math.min(length, LnetTree.PEERS.length()));
    if (!isRejected(LnetPeers.Peer::parse, cut)) {
      List<LnetPeers.Peer> whole = LnetPeers.Peer.parse("peers", LnetTree.PEERS);
      List<LnetPeers.Peer> seen = LnetPeers.Peer.parse("peers", cut);
      assertThat(seen).isEqualTo(whole.subList(0, seen.size()));
    }
  }

  @Property(tries = 300)
  void anyWordInPlaceOfANumberIsThatNumberOrRejected(
      @ForAll @IntRange(max = 10) int place, @ForAll @StringLength(max = 25) String word) {
    String[] words = LnetTree.STATS.strip().split(" ", -1);
    words[place] = word;
    String text = String.join(" ", words) + "\n";
    boolean number = word.matches("[0-9]{1,19}") || unsigned64(word);
    assertThat(isRejected(LnetStats.Counts::parse, text)).isNotEqualTo(number);
  }

  private static boolean unsigned64(String word) {
    return word.matches("[0-9]{20}") && new BigInteger(word).bitLength() <= 64;
  }

  @Property(tries = 300)
  void anyNumberIsItselfOrRejected(
      @ForAll @IntRange(max = 10) int place,
      @ForAll @BigRange(min = "0", max = "99999999999999999999999") BigInteger number) {
    String[] words = LnetTree.STATS.strip().split(" ", -1);
    words[place] = number.toString();
    assertThat(isRejected(LnetStats.Counts::parse, String.join(" ", words) + "\n"))
        .isEqualTo(number.bitLength() > 64);
  }
}
