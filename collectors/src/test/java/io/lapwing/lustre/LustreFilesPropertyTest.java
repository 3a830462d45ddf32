package io.lapwing.lustre;

import static io.lapwing.lustre.SomeFiles.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Damaged files: they fail with a line, and never give a wrong value. */
class LustreFilesPropertyTest {

  private static final List<Parser> PARSERS =
      List.of(
          file -> StatsFile.parse(file).counters(),
          file -> importFacts(ImportFile.parse(file)),
          file -> stateFacts(StateFile.parse(file)),
          file -> timeoutFacts(TargetLimits.TimeoutsFile.parse(file)),
          file -> histogramFacts(RpcStatsFile.parse(file)),
          file -> NumberLines.parse(file).numbers(),
          file -> Map.of("number", NumberLines.single(file)),
          file -> Map.of("version", LustreSource.version(file)),
          file -> Map.of("health", LustreSource.HealthCheck.parse(file)));

  /** The values of a file, by name. */
  private interface Parser {
    Map<String, ?> facts(KernelText file) throws ParseFailure;
  }

  private static Optional<Map<String, ?>> facts(Parser parser, String content) {
    try {
      return Optional.of(parser.facts(text(content)));
    } catch (ParseFailure failure) {
      assertThat(failure.line()).isPositive();
      return Optional.empty();
    }
  }

  private static Map<String, Object> importFacts(ImportFile file) {
    Map<String, Object> facts = new HashMap<>();
    file.state().ifPresent(state -> facts.put("state", state));
    file.nid().ifPresent(nid -> facts.put("nid", nid));
    file.targetVersion().ifPresent(version -> facts.put("version", version));
    file.inflight().ifPresent(number -> facts.put("inflight", number));
    file.timeouts().ifPresent(number -> facts.put("timeouts", number));
    file.attempts().ifPresent(number -> facts.put("attempts", number));
    file.averageWait().ifPresent(number -> facts.put("wait", number));
    file.serviceEstimate().ifPresent(number -> facts.put("service", number));
    file.networkEstimate().ifPresent(number -> facts.put("network", number));
    return facts;
  }

  private static Map<String, Object> stateFacts(StateFile file) {
    Map<String, Object> facts = new HashMap<>();
    file.current().ifPresent(state -> facts.put("state", state));
    for (int i = 0; i < file.history().size(); i++) {
      facts.put("change" + i, file.history().get(i));
    }
    return facts;
  }

  /** Without the slowest service, which depends on all lines. */
  private static Map<String, Object> timeoutFacts(TargetLimits.TimeoutsFile file) {
    Map<String, Object> facts = new HashMap<>();
    file.lastReply().ifPresent(second -> facts.put("last", second));
    file.network().ifPresent(seconds -> facts.put("network", seconds));
    return facts;
  }

  /** The total, and the count at each bound. */
  private static Map<String, Object> histogramFacts(RpcStatsFile file) {
    Map<String, Object> facts = new HashMap<>();
    file.tables()
        .forEach(
            (table, columns) ->
                columns.forEach(
                    (column, histogram) -> {
                      facts.put(table + column, histogram.total());
                      for (int i = 0; i < histogram.counts().size(); i++) {
                        facts.put(
                            table + column + histogram.bounds().get(i), histogram.counts().get(i));
                      }
                    }));
    return facts;
  }

  @Test
  void aTruncatedFileHasOnlyValuesOfTheWholeFile() {
    for (String whole : SomeFiles.ALL) {
      for (Parser parser : PARSERS) {
        Map<String, ?> all = facts(parser, whole).orElse(Map.of());
        for (int length = 0; length < whole.length(); length++) {
          Map<String, ?> some = facts(parser, whole.substring(0, length)).orElse(Map.of());
          assertThat(entries(all)).as("%d of %s", length, whole).containsAll(entries(some));
        }
      }
    }
  }

  private static List<Map.Entry<String, Object>> entries(Map<String, ?> facts) {
    List<Map.Entry<String, Object>> entries = new ArrayList<>();
    facts.forEach((name, value) -> entries.add(Map.entry(name, value)));
    return entries;
  }

  @Provide
  Arbitrary<String> mutated() {
    Arbitrary<String> piece =
        Arbitraries.of(
            "",
            " ",
            "\n",
            "\r\n",
            "\r",
            "\u0000",
            "\uD800",
            "-1",
            "0",
            "99999999999999999999999999",
            "18446744073709551616",
            "N/A (no PMA)",
            "a name with spaces",
            ": ",
            " samples [",
            "] 1 2",
            "\t\t\tread\n",
            "pages per rpc         rpcs   % cum %",
            "%",
            "|",
            " - [ 1, EVICTED ]\n");
    return Combinators.combine(
            Arbitraries.of(SomeFiles.ALL),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.doubles().between(0, 1),
            piece)
        .as(LustreFilesPropertyTest::spliced);
  }

  private static String spliced(String file, double one, double other, String piece) {
    int from = (int) (Math.min(one, other) * file.length());
    int to = (int) (Math.max(one, other) * file.length());
    return file.substring(0, from) + piece + file.substring(to);
  }

  @Property(tries = 3000)
  void aMutatedFileIsReadOrFailsWithItsLine(@ForAll @From("mutated") String content) {
    PARSERS.forEach(parser -> facts(parser, content));
  }

  @Property
  void anyBytesAreReadOrFailWithTheirLine(@ForAll byte[] bytes) {
    String content = new String(bytes, StandardCharsets.ISO_8859_1);
    PARSERS.forEach(parser -> facts(parser, content));
  }

  @Test
  void aLineOfManyFiguresDoesNotExhaustTheStack() throws ParseFailure {
    String figures = " 1".repeat(30_000);
    StatsFile stats =
        StatsFile.parse(text("snapshot_time 1.0 secs.nsecs\nx 1 samples [reqs]" + figures + "\n"));
    assertThat(stats.counters()).containsOnlyKeys("x");
  }
}
