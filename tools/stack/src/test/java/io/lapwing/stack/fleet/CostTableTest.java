package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.stack.fleet.SeriesBudget.PageSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CostTableTest {

  private static final AmpPrices PRICES = AmpPrices.read();

  /**
   * {@code | 10,000 | minimal | 1,000,000 | 172.8 billion | $1 | $2 | $3 |}, nodes may be empty.
   */
  private static final Pattern FLEET_ROW =
      Pattern.compile(
          "(?m)^\\| ([0-9,]*) ?\\| (minimal|standard|full) \\| ([0-9,]+) \\| [0-9.,]+ billion"
              + " \\| \\$([0-9,]+) \\| \\$([0-9,]+) \\| \\$([0-9,]+) \\|$");

  /** The rows of a type, of which the third is {@code | | full | 4,417 | 551 |}. */
  private static final Pattern COUNTED =
      Pattern.compile(
          "(?m)^\\| ([a-z]\\S+) \\| minimal \\| .*\n\\|  \\| standard \\| .*\n"
              + "\\|  \\| full \\| ([0-9,]+) \\|");

  /** {@code p5.48xlarge and p5e.48xlarge 4,417}. */
  private static final Pattern MEASURED =
      Pattern.compile("([a-z0-9-]+\\.[a-z0-9]+)(?: and (\\S+))? ([0-9,]*[0-9])");

  private static final Pattern BUDGET =
      Pattern.compile("vector\\(([0-9]+)\\), \"instance_type\", \"([^\"]+)\"");

  /** With a job; the third number is that of the preset full. */
  private static final Pattern MIG =
      Pattern.compile("56 MIG instances .* with a job on each GPU [0-9,]+, [0-9,]+ and ([0-9,]+)");

  /** 172,800 samples of each series in 30 days, at 0.90 dollars for ten million. */
  @Test
  void aThousandSeriesEachFifteenSecondsAreFifteenDollarsAndAHalf() {
    assertThat(CostTable.dollarsPerMonth(1, 1000, 15)).isEqualTo(15.552, within(1e-9));
    assertThat(CostTable.dollarsPerMonth(1, 1000, 60)).isEqualTo(15.552 / 4, within(1e-9));
  }

  @Test
  void eachTierIsChargedAtItsOwnPrice() {
    assertThat(PRICES.dollars(2e9)).isEqualTo(180, within(1e-6));
    assertThat(PRICES.dollars(12e9)).isEqualTo(180 + 350, within(1e-6));
    assertThat(PRICES.dollars(252e9)).isEqualTo(180 + 8750, within(1e-6));
    assertThat(PRICES.dollars(352e9)).isEqualTo(180 + 8750 + 1600, within(1e-6));
  }

  @Test
  void twiceTheSamplesNeverCostMoreThanTwice() {
    double before = 0;
    for (double samples = 1e8; samples < 1e13; samples *= 2) {
      double dollars = PRICES.dollars(samples);
      assertThat(dollars).isGreaterThan(before);
      assertThat(PRICES.dollars(2 * samples)).isLessThanOrEqualTo(2 * dollars * (1 + 1e-12));
      before = dollars;
    }
  }

  @Test
  void theTableHasEachPresetOfATypeAndFleetsOfP5() {
    SeriesBudget.Row small =
        new SeriesBudget.Row(
            "g6.xlarge",
            new PageSize(180, 20_480),
            new PageSize(440, 40_960),
            new PageSize(700, 98_304));
    SeriesBudget.Row large =
        new SeriesBudget.Row(
            "p5.48xlarge",
            new PageSize(1000, 102_400),
            new PageSize(1800, 204_800),
            new PageSize(4000, 512_000));
    assertThat(CostTable.text(List.of(small, large)))
        .contains("| g6.xlarge | minimal | 180 | 20 | $2.80 |")
        .contains("|  | full | 700 | 96 | $10.89 | $5.44 | $2.72 |")
        .contains("| 10 | minimal | 10,000 | 1.7 billion | $156 | $78 | $39 |")
        .contains("|  | full | 4,000,000 | 691.2 billion | $15,957 |");
  }

  /** The table of fleets in the document has the prices of today's tiers. */
  @Test
  void theDocumentHasTheDollarsOfItsSeries() throws Exception {
    Path root = Path.of("").toAbsolutePath().resolve("../..").normalize();
    String document = Files.readString(root.resolve("docs/scaling.md"));
    List<MatchResult> rows = FLEET_ROW.matcher(document).results().toList();

    assertThat(rows).hasSize(4 * 3);
    for (MatchResult row : rows) {
      double series = number(row.group(3));
      for (int i = 0; i < 3; i++) {
        double dollars = PRICES.dollars(AmpPrices.samplesPerMonth(series, 15 << i));
        assertThat(number(row.group(4 + i))).as(row.group()).isEqualTo(dollars, within(0.51));
      }
    }
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  private static Map<String, Integer> counts(Pattern pattern, String text) {
    Map<String, Integer> counts = new TreeMap<>();
    for (MatchResult row : pattern.matcher(text).results().toList()) {
      int count = (int) number(row.group(row.groupCount()));
      counts.put(row.group(1), count);
      if (row.groupCount() == 3 && row.group(2) != null) {
        counts.put(row.group(2), count);
      }
    }
    return counts;
  }

  @Test
  void theBudgetsAreOneAndAHalfTimesTheCountsOfTheDocument() throws Exception {
    Path root = Path.of("").toAbsolutePath().resolve("../..").normalize();
    String document = Files.readString(root.resolve("docs/scaling.md"));
    String rules = Files.readString(root.resolve("alert-rules/agent.yml"));
    String comment = rules.replace("\n  #", "").split("every GPU: ", 2)[1].split("\\. The", 2)[0];
    Map<String, Integer> measured = counts(MEASURED, comment);
    Map<String, Integer> budgets =
        BUDGET
            .matcher(rules)
            .results()
            .collect(Collectors.toMap(row -> row.group(2), row -> (int) number(row.group(1))));

    assertThat(counts(COUNTED, document)).hasSize(3);
    assertThat(measured)
        .hasSizeGreaterThan(6)
        .containsAllEntriesOf(counts(COUNTED, document))
        .allSatisfy(
            (type, count) ->
                assertThat(budgets).containsEntry(type, (count * 3 / 2 + 99) / 100 * 100));
    int largest = Collections.max(budgets.values());
    assertThat(budgets).containsEntry("other", largest).containsEntry("p5.48xlarge", largest);
    assertThat(MIG.matcher(document.replace('\n', ' ')).results())
        .singleElement()
        .satisfies(mig -> assertThat(number(mig.group(1))).isLessThan(largest));
  }
}
