package io.lapwing.nccl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lapwing.nccl.RasReply.Communicator;
import io.lapwing.simulator.RasJob;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RasReplyReaderTest {

  private static final RasNode NODE = node();
  private static final String JSON =
      RasJob.of(2, 4).groups(2).advance("AllReduce", 5).missing(5, true).asyncError(1, 6).json();

  /** NCCL's documented example, with another address and pid. */
  private static final String DOCUMENTED =
      """
      {
        "nccl_version": "2.29.1",
        "cuda_runtime_version": 13000,
        "timestamp": "2025-12-19 13:06:53",
        "communicators_count": 1,
        "communicators": [
          {
            "hash": "0xe94423cfbb2ef4a",
            "secondary_hash": "0xb7e7187447156001:0xb8242ed28a71381e",
            "size": 2,
            "ranks_count": 1,
            "missing_ranks_count": 1,
            "ranks": [
              {
                "rank": 0,
                "host": "10.0.0.0",
                "pid": 1000,
                "cuda_dev": 0,
                "nvml_dev": 3,
                "status": {
                  "init_state": 0,
                  "async_error": 0,
                  "finalize_called": false,
                  "destroy_flag": false,
                  "abort_flag": false
                },
                "collective_counts": {
                  "Broadcast": 0,
                  "AllReduce": 18446744073709551615
                }
              }
            ],
            "missing_ranks": [
              {
                "rank": 1,
                "host": "10.0.0.0",
                "pid": 1524345,
                "cuda_dev": 1,
                "nvml_dev": 1,
                "status": {
                  "unresponsive": true,
                  "considered_dead": false
                }
              }
            ]
          }
        ],
        "ras": {
          "collection_time_sec": 0.000,
          "timeouts_count": 0
        }
      }
      """;

  private static RasNode node() {
    try {
      Path proc = Files.createTempDirectory("proc");
      proc.toFile().deleteOnExit();
      return RasNode.of(proc, 4);
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private static RasReply read(String text) throws RasFailure {
    return read(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  private static RasReply read(InputStream in) throws RasFailure {
    return RasReplyReader.read(in, NODE.processes());
  }

  private static Optional<RasReply> readOrFail(byte[] bytes) {
    try {
      return Optional.of(read(new ByteArrayInputStream(bytes)));
    } catch (RasFailure declared) {
      assertThat(declared.reason()).isIn("malformed", "cut_off", "io");
      return Optional.empty();
    }
  }

  private static String why(String text) {
    RasFailure failure = catchThrowableOfType(RasFailure.class, () -> read(text));
    return failure == null ? "" : failure.reason();
  }

  @Test
  void readsTheDocumentedReply() throws RasFailure {
    RasReply reply = read(DOCUMENTED);

    assertThat(reply.version()).isEqualTo("2.29.1");
    assertThat(reply.timeouts()).hasValue(0);
    Communicator one = reply.communicators().get(0);
    assertThat(one.id().hash()).as("as NCCL logs it").isEqualTo("0e94423cfbb2ef4a");
    assertThat(List.of(one.size(), one.answered(), one.missing(), one.missingHere()))
        .containsExactly(2, 1, 1, 1);
    assertThat(List.of(one.unresponsive(), one.dead())).containsExactly(1, 0);
    Communicator.Rank rank = one.local().get(0);
    assertThat(rank.gpu()).hasValue(3);
    assertThat(rank.process()).isEqualTo(new LocalProcesses.LocalProcess(1000, RasNode.START));
    assertThat(rank.counts().total()).isEqualTo(0x1p64);
  }

  @Test
  void unknownFieldsAreSkipped() throws RasFailure {
    String later =
        DOCUMENTED.replace(
            "\"rank\": 0,", "\"new\": {\"deep\": [[1, {\"rank\": 9}], null]}, \"rank\": 0,");

    assertThat(read(later)).usingRecursiveComparison().isEqualTo(read(DOCUMENTED));
  }

  @Test
  void fieldOrderDoesNotMatter() throws RasFailure {
    String other =
        """
        {"communicators": [{"missing_ranks": [], "ranks": [
          {"collective_counts": {"AllReduce": 4}, "status": {"async_error": 6}, "nvml_dev": 2,
           "pid": 1001, "host": "10.0.0.0", "rank": 7}], "hash": "0x1"}]}""";
    Communicator.Rank rank = read(other).communicators().get(0).local().get(0);

    assertThat(List.of(rank.rank(), rank.gpu(), rank.asyncError()))
        .containsExactly(7, OptionalInt.of(2), 6);
  }

  @Test
  void aDuplicateRankCountsOnce() throws RasFailure {
    String rank = "{\"rank\": 0, \"host\": \"10.0.0.0\", \"pid\": 1000}";
    String twice =
        "{\"communicators\": [{\"hash\": \"1\", \"ranks\": [" + rank + "," + rank + "]}]}";

    assertThat(read(twice).communicators().get(0).local()).hasSize(1);
  }

  @Test
  void wrongTypesFailTheReply() {
    List<String> wrong =
        List.of(
            DOCUMENTED.replace("\"pid\": 1000", "\"pid\": \"1000\""),
            DOCUMENTED.replace("\"pid\": 1000", "\"pid\": 10000000000000"),
            DOCUMENTED.replace("\"rank\": 0", "\"rank\": -1"),
            DOCUMENTED.replace("\"rank\": 0,", ""),
            DOCUMENTED.replace("\"0xe94423cfbb2ef4a\"", "\"0x\""),
            DOCUMENTED.replace("\"0xe94423cfbb2ef4a\"", "\"a\\nb\""),
            DOCUMENTED.replace("18446744073709551615", "-1"),
            DOCUMENTED.replace("18446744073709551615", "1e999"),
            DOCUMENTED.replace("18446744073709551615", "NaN"),
            DOCUMENTED.replace("\"abort_flag\": false", "\"abort_flag\": 0"),
            DOCUMENTED.replace("\"status\": {", "\"status\": [").replace("}", "]"),
            DOCUMENTED.replace("10.0.0.0", "x".repeat(2000)),
            "[]        ",
            "null        ",
            "ERROR: Unknown command        ");

    assertThat(wrong).allSatisfy(text -> assertThat(why(text)).isEqualTo("malformed"));
  }

  @Test
  void deepNestingFailsTheReply() {
    assertThat(why("{\"x\": " + "[".repeat(100_000))).isEqualTo("malformed");
    assertThat(why("{\"x\": " + "{\"y\":".repeat(100_000))).isEqualTo("malformed");
  }

  @Test
  void aTruncatedReplyIsReportedAsTruncated() {
    byte[] whole = RasJob.of(1, 2).missing(1, true).json().stripTrailing().getBytes(UTF_8);
    for (int length = 0; length < whole.length; length++) {
      String part = new String(whole, 0, length, UTF_8);
      assertThat(why(part)).as(part).isEqualTo("cut_off");
    }
  }

  @Test
  void aHundredThousandRanksAreStreamed() throws RasFailure {
    String rank =
        "{\"rank\": %d, \"host\": \"10.0.%d.%d\", \"pid\": %d, \"nvml_dev\": 1, \"status\":"
            + " {\"async_error\": 0}, \"collective_counts\": {\"AllReduce\": %d}},\n";
    Stream<String> ranks =
        IntStream.range(0, 100_000)
            .mapToObj(i -> rank.formatted(i, (i / 8) >> 8 & 0xff, (i / 8) & 0xff, 1000 + i % 4, i));
    String last = "{\"rank\": 100000}]}]}";
    InputStream all =
        new SequenceInputStream(
            Collections.enumeration(
                Stream.of(
                        Stream.of("{\"communicators\": [{\"hash\": \"0x1\", \"ranks\": ["),
                        ranks,
                        Stream.of(last))
                    .flatMap(one -> one)
                    .map(text -> (InputStream) new ByteArrayInputStream(text.getBytes(UTF_8)))
                    .toList()));
    Communicator one = read(all).communicators().get(0);

    assertThat(one.answered()).isEqualTo(100_001);
    assertThat(one.local()).hasSize(8);
    assertThat(one.local().get(3).counts().behind(one.highest())).isEqualTo(99_999 - 3);
  }

  @Test
  void manyCommunicatorsWithOneHashAndManyProcessesStayBounded() throws RasFailure {
    String ranks =
        IntStream.range(0, 1100)
            .mapToObj(i -> "{\"rank\": " + i + ", \"host\": \"10.0.0.0\", \"pid\": " + i + "}")
            .reduce((one, other) -> one + "," + other)
            .orElseThrow();
    String one = "{\"hash\": \"0x1\", \"ranks\": [" + ranks + "]}";
    RasReply reply =
        read("{\"communicators\": [" + String.join(",", Collections.nCopies(70, one)) + "]}");

    assertThat(reply.communicators()).hasSize(RasReplyReader.MAX_COMMUNICATORS);
    assertThat(reply.dropped()).isEqualTo(6);
  }

  @Property(tries = 500)
  void anyBytesGiveAReplyOrARasFailure(@ForAll byte[] bytes) {
    readOrFail(bytes);
  }

  @Property(tries = 1000)
  void aReplyWithBytesChangedGivesAReplyOrTheDeclaredFailure(
      @ForAll @IntRange(max = 5000) int at,
      @ForAll byte other,
      @ForAll @IntRange(max = 40) int cut) {
    byte[] bytes = JSON.getBytes(UTF_8);
    bytes[at % bytes.length] = other;
    byte[] shorter = new byte[bytes.length - cut];
    int from = at * 31 % shorter.length;
    System.arraycopy(bytes, 0, shorter, 0, from);
    System.arraycopy(bytes, from + cut, shorter, from, shorter.length - from);

    readOrFail(bytes);
    readOrFail(shorter);
  }

  @Property(tries = 500)
  void anyValueInAnyPlaceGivesAReplyOrTheDeclaredFailure(
      @ForAll @IntRange(max = 100) int place, @ForAll @From("values") String value) {
    String[] parts = DOCUMENTED.split("(?<=: )", -1);
    int at = 1 + place % (parts.length - 1);
    parts[at] = value + parts[at].replaceFirst("^[^,}\\n]*", "");
    readOrFail(String.join("", parts).getBytes(UTF_8)).ifPresent(RasReplyReaderTest::isBounded);
  }

  @Provide
  Arbitrary<String> values() {
    return Arbitraries.of(
        "null",
        "true",
        "\"\"",
        "\"\\u0000\\n\"",
        "-1",
        "0",
        "1e308",
        "1e999",
        "2147483648",
        "[]",
        "{}",
        "[[[]]]",
        "[{}]",
        "[null]",
        "{\"a\": {\"b\": 1}}",
        "\"10.0.0.0\"",
        "0.5",
        "[1",
        "\"");
  }

  private static void isBounded(RasReply reply) {
    assertThat(reply.version()).matches("[A-Za-z0-9.+_-]{0,32}");
    reply.communicators().forEach(one -> assertThat(one.id().hash()).matches("[0-9a-f]{16}"));
  }
}
