package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShippedRoutingTest {

  private static final URI WEBHOOK = URI.create("http://127.0.0.1:1");

  @TempDir Path dir = Path.of("");

  private JsonNode written(Optional<Duration> wait) throws Exception {
    return written(wait, Optional.empty());
  }

  private JsonNode written(Optional<Duration> wait, Optional<ShippedRouting.Webhook> told)
      throws Exception {
    Path shipped =
        Files.writeString(
            dir.resolve("shipped.yml"),
            """
            global: {slack_api_url_file: /etc/nowhere}
            templates: [lapwing.tmpl]
            route:
              receiver: people
              group_wait: 30s
              group_interval: 5m
              routes:
              - {receiver: machine, matchers: ['severity="critical"'], group_wait: 0s}
              - {receiver: nobody, matchers: ['severity="info"'], group_wait: 1m}
            inhibit_rules: [{source_matchers: ['a="b"'], target_matchers: ['c="d"']}]
            receivers:
            - name: people
              slack_configs: [{channel: '#x'}]
            - name: machine
              webhook_configs: [{url: 'http://127.0.0.1:9096/'}]
            - name: nobody
            """);
    return new YAMLMapper()
        .readTree(
            ShippedRouting.write(shipped, dir.resolve("tried.yml"), WEBHOOK, wait, told).toFile());
  }

  @Test
  void no_real_receiver_is_notified() throws Exception {
    JsonNode config = written(Optional.empty());

    assertThat(config.has("global")).isFalse();
    assertThat(config.at("/receivers/0").has("slack_configs")).isFalse();
    assertThat(config.at("/receivers/0/webhook_configs/0/url").asText())
        .isEqualTo("http://127.0.0.1:1/people");
    assertThat(config.at("/receivers/1/webhook_configs/0/url").asText())
        .isEqualTo("http://127.0.0.1:1/machine");
    assertThat(config.at("/receivers/2").size()).isEqualTo(1);
  }

  @Test
  void routes_and_inhibition_stay_as_they_are_shipped() throws Exception {
    JsonNode config = written(Optional.empty());

    assertThat(config.at("/route/group_wait").asText()).isEqualTo("30s");
    assertThat(config.at("/route/routes/0/matchers/0").asText()).isEqualTo("severity=\"critical\"");
    assertThat(config.at("/inhibit_rules/0/source_matchers/0").asText()).isEqualTo("a=\"b\"");
  }

  @Test
  void a_test_waits_no_longer_than_it_wants_and_no_longer_than_a_route() throws Exception {
    JsonNode route = written(Optional.of(Duration.ofSeconds(2))).path("route");

    assertThat(route.path("group_wait").asText()).isEqualTo("2000ms");
    assertThat(route.path("group_interval").asText()).isEqualTo("2000ms");
    assertThat(route.at("/routes/0/group_wait").asText()).isEqualTo("0s");
    assertThat(route.at("/routes/1/group_wait").asText()).isEqualTo("2000ms");
  }

  @Test
  void a_program_is_told_in_addition_and_by_name_and_password() throws Exception {
    ShippedRouting.Webhook program =
        new ShippedRouting.Webhook(
            "machine", URI.create("http://127.0.0.1:2/api"), "alertmanager", dir.resolve("p"));

    JsonNode config = written(Optional.empty(), Optional.of(program));

    assertThat(config.at("/receivers/0/webhook_configs").size()).isEqualTo(1);
    assertThat(config.at("/receivers/1/webhook_configs/0/url").asText())
        .isEqualTo("http://127.0.0.1:1/machine");
    JsonNode told = config.at("/receivers/1/webhook_configs/1");
    assertThat(told.path("url").asText()).isEqualTo("http://127.0.0.1:2/api");
    assertThat(told.at("/http_config/basic_auth/username").asText()).isEqualTo("alertmanager");
    assertThat(told.at("/http_config/basic_auth/password_file").asText())
        .isEqualTo(dir.resolve("p").toString());
  }
}
