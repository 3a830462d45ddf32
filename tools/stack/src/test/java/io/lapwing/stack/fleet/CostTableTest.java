package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CostTableTest {

  /** 172,800 samples of each series in 30 days, at 0.90 dollars for ten million. */
  @Test
  void aThousandSeriesEachFifteenSecondsAreFifteenDollarsAndAHalf() {
    assertThat(CostTable.dollarsPerMonth(1000, 15)).isEqualTo(15.552, within(1e-9));
    assertThat(CostTable.dollarsPerMonth(1000, 60)).isEqualTo(15.552 / 4, within(1e-9));
  }

  @Test
  void leanLabelsShrinkTheResponseAndCostTheSame() {
    String table =
        CostTable.text(List.of(new SeriesBudget.Row("g6.xlarge", 700, 180, 440, 98304, 91136)));
    assertThat(table)
        .contains("| g6.xlarge | full | 700 | 96 | $10.89 | $5.44 | $2.72 |")
        .contains("|  | full, lean labels | 700 | 89 | $10.89 | $5.44 | $2.72 |")
        .contains("|  | rules | 180 |  | $2.80 |");
  }
}
