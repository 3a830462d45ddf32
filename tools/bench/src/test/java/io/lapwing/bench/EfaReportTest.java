package io.lapwing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.bench.Result.Pair;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EfaReportTest {

  private static EfaReport report(double agentMicros) {
    List<EfaRound> unasked = List.of(new EfaRound(50, 50, agentMicros, 1_000, 20_000));
    List<EfaRound> asked = List.of(new EfaRound(50, 50, 2 * agentMicros, 1_000, 25_000));
    return new EfaReport(Map.of("peer_version", "peer 1"), new Pair<>(unasked, asked));
  }

  @Test
  void theDevicesCostWhatTheAgentSpendsLessWhatItSpendsWithoutThem() {
    assertThat(report(4_000).table())
        .containsPattern("CPU a refresh of 32 EFA devices +3\\.00 +20\\.0 ms +0\\.150x .* met\n")
        .containsPattern("with all else that the agent does +4\\.00 +20\\.0 ms +0\\.200x")
        .containsPattern("one page a refresh +8\\.00 +25\\.0 ms +0\\.320x");
  }

  @Test
  void moreThanAQuarterOfThePeerIsOverTheBudget() {
    assertThat(report(7_000).table()).contains("0.300x").contains("OVER");
    assertThat(report(7_000).json()).contains("\"within_budget\": false");
  }
}
