package io.lapwing.stack.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

  private static final Instant NOW = Instant.parse("2029-01-15T00:00:30Z");
  private static final Duration STEP = Duration.ofMinutes(1);

  /** Two nodes fail for an hour on different days, one of them degraded for two; and a test. */
  private static final PrometheusApi PROMETHEUS =
      new PrometheusApi() {
        @Override
        public boolean records(String name) {
          return name.equals("instance:known:bool");
        }

        @Override
        public Map<Map<String, String>, List<Instant>> range(
            String query, Instant from, Instant to, Duration step) {
          Map<Map<String, String>, List<Instant>> series = new LinkedHashMap<>();
          if (query.equals("count(lapwing_node_verdict)")) {
            put(series, Map.of(), "2029-01-01T00:01:00Z", 14 * 24 * 60);
          } else if (query.startsWith("count({__name__=~")) {
            put(series, Map.of(), "2029-01-08T12:00:00Z", 60);
          }
          if (query.startsWith("failing")) {
            put(
                series,
                Map.of("instance", "a", "severity", "critical"),
                "2029-01-03T05:30:00Z",
                60);
            put(
                series,
                Map.of("instance", "b", "severity", "critical"),
                "2029-01-04T05:30:00Z",
                60);
            put(
                series,
                Map.of("instance", "b", "severity", "warning"),
                "2029-01-03T05:30:00Z",
                120);
            put(series, Map.of("instance", "c", "test", "1"), "2029-01-03T05:30:00Z", 120);
          }
          series.replaceAll(
              (labels, times) ->
                  times.stream().filter(at -> !at.isBefore(from) && !at.isAfter(to)).toList());
          return series;
        }

        private void put(
            Map<Map<String, String>, List<Instant>> series,
            Map<String, String> labels,
            String start,
            int minutes) {
          List<Instant> times = new ArrayList<>();
          for (int minute = 0; minute < minutes; minute++) {
            times.add(Instant.parse(start).plus(STEP.multipliedBy(minute)));
          }
          series.put(labels, times);
        }
      };

  @Test
  void firingsAreCountedBySeverityNodeAndDay(@TempDir Path folder) throws Exception {
    Path rules =
        Files.writeString(
            folder.resolve("some.yml"),
            """
            groups:
              - name: some
                rules:
                  - {record: "instance:known:bool", expr: up}
                  - {alert: Fails, expr: "failing > 0"}
                  - {alert: FailsLong, expr: "failing > 0 and instance:known:bool", for: 1h30m, labels: {severity: info}}
                  - {alert: Quiet, expr: "up == 0", labels: {severity: critical}}
                  - {alert: Lacks, expr: "job_id:unknown:sum > 0 and instance:known:bool", labels: {severity: critical}}
            """);

    String report = Main.report(PROMETHEUS, List.of(rules), NOW, Duration.ofDays(14), STEP);

    assertThat(report.lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains(
            "Fails 2 1 0 2 2 4.0",
            "FailsLong 0 1 0 1 1 0.5",
            "The server has samples of Lapwing for 336.0 of 336.0 hours.",
            "A week of samples: 1.0 critical, 1.0 warning, before grouping and inhibition.",
            "1 alerts would not have fired.",
            "Nothing is known of these before 2029-01-08T12:00:00Z, when the server has the first of"
                + " the recordings that they read: FailsLong",
            "Lacks: job_id:unknown:sum");
  }

  @Test
  void timeWithoutSamplesIsNoTimeWithoutAlerts(@TempDir Path folder) throws Exception {
    Path rules =
        Files.writeString(
            folder.resolve("some.yml"),
            """
            groups:
              - {name: some, rules: [{alert: Fails, expr: "failing > 0"}]}
            """);

    assertThat(Main.report(PROMETHEUS, List.of(rules), NOW, Duration.ofDays(28), STEP))
        .contains(
            "for 336.0 of 672.0 hours",
            "A week of samples: 1.0 critical",
            "0 alerts would not have fired")
        .doesNotContain("recordings");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Main.report(
                    PROMETHEUS,
                    List.of(rules),
                    NOW.plus(Duration.ofDays(90)),
                    Duration.ofDays(14),
                    STEP))
        .withMessageContaining("has no samples of Lapwing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--days=3|--url=x|the flags are",
        "--range=two|--url=http://localhost:1|two is not a duration",
        "--step=1s|--url=http://localhost:1|--step is at least 15s",
        "--range=1d|some.yml|--url=http://... of a Prometheus is missing"
      })
  void badFlagsAreNamed(String flag, String other, String problem) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Main.run(List.of(flag, other)))
        .withMessageContaining(problem);
  }
}
