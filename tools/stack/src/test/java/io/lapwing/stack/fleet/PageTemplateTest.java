package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PageTemplateTest {

  private static final PlayedNode THIS = PlayedNode.of(18, "training", 1, 2, 16);
  private static final PlayedNode OTHER = PlayedNode.of(19, "training", 1, 3, 16);

  @Test
  void aResponseHasItsNodeGpuAndGlobalRank() {
    assertThat(PlayedPage.at(THIS, 0).values())
        .containsKeys(
            "lapwing_node_info{hostname=\"node-00018\",instance_id=\"i-01234567800100012\"}",
            "lapwing_gpu_info{gpu=\"0\",UUID=\"GPU-00100012-51a7-4ed0-8000-5eed00000000\","
                + "serial=\"1650001800000\"}",
            "lapwing_training_steps_total{job_id=\"4001\",run=\"a} b\",rank=\"19\","
                + "local_rank=\"3\"}",
            "lapwing_training_info{job_id=\"4001\",rank=\"19\",world_size=\"128\","
                + "dp_rank=\"19\",dp_size=\"128\"}");
  }

  @Test
  void noDeviceOrRankSeriesIsOnTwoNodes() {
    Set<String> here = PlayedPage.at(THIS, 0).values().keySet();
    assertThat(PlayedPage.at(OTHER, 0).values().keySet())
        .filteredOn(here::contains)
        .containsExactly("lapwing_health_evaluation_timestamp_seconds");
  }

  @Test
  void aCounterGoesOnAsFastAsItWasRecordedOrNearlySo() {
    String steps =
        "lapwing_training_steps_total{job_id=\"4001\",run=\"a} b\",rank=\"19\",local_rank=\"3\"}";
    double perSecond = (value(steps, 1000) - value(steps, 0)) / 1000;
    assertThat(perSecond).isEqualTo(120.0 / 60, within(0.07));
    assertThat(value(steps, 0)).isEqualTo(220);
    assertThat(value(steps, 7.3)).isEqualTo(Math.rint(value(steps, 7.3)));
  }

  @Test
  void noCounterEverGoesBack() {
    for (PlayedNode node : new PlayedNode[] {THIS, OTHER}) {
      for (double seconds = 0; seconds < 100; seconds += 0.7) {
        Map<String, Double> now = PlayedPage.at(node, seconds).values();
        Map<String, Double> later = PlayedPage.at(node, seconds + 0.7).values();
        assertThat(later.entrySet())
            .filteredOn(entry -> entry.getKey().contains("_total"))
            .hasSize(2)
            .allSatisfy(e -> assertThat(e.getValue()).isGreaterThanOrEqualTo(now.get(e.getKey())));
      }
    }
  }

  @Test
  void aGaugeStaysBetweenItsTwoRecordingsAndMoves() {
    String temperature =
        "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-00100012-51a7-4ed0-8000-5eed00000000\"}";
    assertThat(java.util.stream.IntStream.range(0, 100).mapToDouble(s -> value(temperature, s)))
        .allSatisfy(degrees -> assertThat(degrees).isBetween(53.0, 57.0))
        .contains(53.0, 57.0);
  }

  @Test
  void aTimeOfDayMovesWithTheClock() {
    String evaluated = "lapwing_health_evaluation_timestamp_seconds";
    assertThat(value(evaluated, 90) - value(evaluated, 0)).isEqualTo(90, within(1e-3));
  }

  @Test
  void familiesThatAreNotKeptAreNotInTheResponse() {
    RecordedPage kept = RecordedPage.parse(PlayedPage.SECOND).keeping("lapwing_node_info"::equals);
    assertThat(kept.samples())
        .extracting(RecordedPage.Sample::name)
        .containsOnly("lapwing_node_info");
  }

  private static double value(String series, double seconds) {
    Double value = PlayedPage.at(THIS, seconds).values().get(series);
    assertThat(value).as(series).isNotNull();
    return value == null ? Double.NaN : value;
  }
}
