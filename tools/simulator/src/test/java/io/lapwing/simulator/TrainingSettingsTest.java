package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingSettingsTest {
  private static final InstanceType P5 = InstanceType.named("p5.48xlarge");

  private static TrainingSettings of(InstanceType type, String... lines) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("training.job", "4711");
    for (String line : lines) {
      map.put(line.replaceFirst("=.*", ""), line.replaceFirst(".*=", ""));
    }
    return TrainingSettings.of(map, type).orElseThrow();
  }

  @Test
  void withoutAJobLineThereIsNoJob() {
    assertThat(TrainingSettings.of(Map.of("training.data", "1", "gpu.*.load", "1"), P5)).isEmpty();
  }

  @Test
  void theProgramReceivesThePropertiesOfAStep() {
    assertThat(
            of(P5, "training.*.slower=1.1", "training.3.slower=1.4", "training.stopped=1").order())
        .isEqualTo(
            "data=0.010000 compute=0.400000 communication=0.090000 checkpoint=1.500000 durable=0.000000"
                + " every=240 tokens=4096 stopped=1 uneven=0.000000 slower=1.100000,1.100000,1.100000,1.400000,1.100000,1.100000,"
                + "1.100000,1.100000");
  }

  /** Peaks in BF16, dense, in 10^12 operations a second, as vendors have them. */
  @ParameterizedTest
  @CsvSource({
    "p5.48xlarge, 989.4",
    "p5en.48xlarge, 989.4",
    "p6-b200.48xlarge, 2250",
    "p4d.24xlarge, 312",
    "g6.xlarge, 121",
    "g5.48xlarge, 70"
  })
  void aJobUsesTwoFifthsOfWhatItsGpusCan(String type, double peak) {
    TrainingSettings job = of(InstanceType.named(type));
    double step = job.data() + job.compute() + job.communication();
    assertThat(job.tokens() / step * 4.8e10 / (peak * 1e12)).isBetween(0.39, 0.41);
  }

  @Test
  void aRankThatTheNodeHasNoGpuForIsAMistake() {
    assertThatThrownBy(() -> of(P5, "training.8.slower=2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("training.8.slower: this node has 8 GPUs");
  }

  @Property
  void whatIsAnswerableIsReadAndAllElseIsNamed(@ForAll String key, @ForAll String value) {
    if (TrainingSettings.problem("training." + key, value).isEmpty()) {
      of(P5, "training." + key + "=" + value);
    }
  }
}
