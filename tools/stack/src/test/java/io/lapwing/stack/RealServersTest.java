package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both servers scrape, evaluate, route and notify; the target is Prometheus itself. */
@Tag("slow")
@Tag("servers")
final class RealServersTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration EVERY = Duration.ofSeconds(1);

  @TempDir Path dir = Path.of("");

  @BeforeAll
  static void needsTheServers() {
    assumeTrue(Prometheus.program().isPresent(), "this machine has no prometheus");
    assumeTrue(Alertmanager.program().isPresent(), "this machine has no prometheus-alertmanager");
  }

  @Test
  void alert_goes_from_a_scraped_page_to_the_webhook() throws Exception {
    Path rules =
        Files.writeString(
            dir.resolve("rules.yml"),
            """
            groups:
            - name: one
              rules:
              - record: instance:up:sum
                expr: sum by (cluster, instance) (up)
              - alert: Up
                expr: instance:up:sum == 1
                annotations: {description: '{{ $labels.instance }} answers'}
            """);
    try (Webhook webhook = Webhook.start();
        Alertmanager alertmanager = Alertmanager.start(dir, routingTo(webhook));
        Prometheus prometheus =
            Prometheus.start(
                dir,
                PrometheusSettings.every(EVERY)
                    .withRules(List.of(rules))
                    .alerting(alertmanager.url()))) {
      String address = prometheus.url().getAuthority();
      prometheus.scrape(List.of(Target.node(address, "demo", "node-1").with("rack", "7")));

      await().atMost(PATIENCE).until(() -> !webhook.notifications().isEmpty());

      Notification notification = webhook.notifications().get(0);
      assertThat(notification.path()).isEqualTo("/here");
      Alert alert = notification.alerts().get(0);
      assertThat(alert.name()).isEqualTo("Up");
      assertThat(alert.state()).isEqualTo("firing");
      assertThat(alert.label("cluster")).isEqualTo("demo");
      assertThat(alert.annotation("description")).isEqualTo("node-1 answers");
      assertThat(alertmanager.alerts()).extracting(Alert::state).containsExactly("active");
      assertThat(prometheus.alerts()).extracting(Alert::state).containsExactly("firing");
      answersQueries(prometheus);
    }
  }

  private static void answersQueries(Prometheus prometheus) {
    Instant now = Instant.now();
    Optional<Series> up = prometheus.query("up").stream().findFirst();
    assertThat(up.map(series -> series.label("rack"))).contains("7");
    assertThat(up.map(Series::value)).contains(1.0);
    assertThat(prometheus.query("scalar(vector(0) / 0)").get(0).value()).isNaN();
    assertThat(prometheus.query("up", now.minus(Duration.ofDays(1)))).isEmpty();
    assertThat(prometheus.queryRange("vector(2)", now.minusSeconds(10), now, EVERY).get(0).points())
        .hasSize(11)
        .allMatch(point -> point.value() == 2);
    RuleGroup group = prometheus.rules().get(0);
    assertThat(group.rules())
        .extracting(RuleGroup.Rule::name, RuleGroup.Rule::alerting, RuleGroup.Rule::health)
        .containsExactly(tuple("instance:up:sum", false, "ok"), tuple("Up", true, "ok"));
    assertThatThrownBy(() -> prometheus.query("up +"))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("parse error");
  }

  private Path routingTo(Webhook webhook) throws Exception {
    return Files.writeString(
        dir.resolve("alertmanager.yml"),
        """
        route: {receiver: it, group_wait: 0s}
        receivers: [{name: it, webhook_configs: [{url: '%s/here'}]}]
        """
            .formatted(webhook.url()));
  }

  @Test
  void server_that_does_not_start_shows_its_log() throws Exception {
    Path rules = Files.writeString(dir.resolve("rules.yml"), "groups: [{nonsense: 1}]\n");

    assertThatThrownBy(
            () -> Prometheus.start(dir, PrometheusSettings.every(EVERY).withRules(List.of(rules))))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("field nonsense not found");
  }

  @Test
  void server_ends_with_who_started_it() throws Exception {
    long pid;
    try (Prometheus prometheus = Prometheus.start(dir, PrometheusSettings.every(EVERY))) {
      pid = prometheus.pid();
      assertThat(ProcessHandle.of(pid)).isPresent();
    }
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }
}
