package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.rules.promql.Promql;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCheckTest {

  private static final QueryCheck CHECK = new QueryCheck(Catalogue.of(Shipped.ROOT));

  private static List<String> problems(String query) {
    return CHECK.problems(Promql.parse(query));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "up{job=\"lapwing\"} == 0",
        "sum by (cluster, instance) (rate(lapwing_http_requests_total{code=\"200\"}[5m])) > 1",
        "max by (cluster, instance, action) (lapwing_health_finding{rule=\"gpu_lost\"}) > 0",
        "delta(DCGM_FI_DEV_GPU_TEMP[10m]) > 1",
        "increase(DCGM_FI_DEV_ECC_SBE_VOL_TOTAL[1h]) > 1",
        "count(lapwing_http_requests_total) > 3",
        "{__name__=~\"lapwing_.+\", instance=\"a\"}",
        "histogram_quantile(0.9, sum by (le) (rate(lapwing_training_step_duration_seconds_bucket[5m]))) > 1"
      })
  void goodQueriesHaveNoProblem(String query) {
    assertThat(problems(query)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lapwing_no_such > 0|no series has the name lapwing_no_such",
        "lapwing_node_verdict{verdikt=\"failing\"}|lapwing_node_verdict has no label verdikt",
        "sum by (gpu) (lapwing_node_verdict)|no series below has the label gpu",
        "up * on (gpu) up|no series below has the label gpu",
        "up * on (instance) group_left (gpu) up|no series below has the label gpu",
        "rate(DCGM_FI_DEV_GPU_TEMP[5m])|which is not a counter",
        "sum(lapwing_http_requests_total) > 4|the counter lapwing_http_requests_total compared",
        "rate(lapwing_http_requests_total[30s])|less than four scrapes"
      })
  void eachMistakeIsNamed(String query, String problem) {
    assertThat(problems(query)).hasSizeGreaterThan(0).anyMatch(said -> said.contains(problem));
  }

  @Test
  void aQueryTellsAllOfItsMistakes() {
    assertThat(problems("lapwing_no_such / lapwing_nor_this")).hasSize(2);
  }
}
