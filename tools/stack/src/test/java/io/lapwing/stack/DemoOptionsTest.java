package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DemoOptionsTest {

  @Test
  void value_may_hold_what_separates_it_from_its_name() {
    DemoOptions options =
        DemoOptions.read(
            "--node=n", "--address=http://localhost:1", "--repository=/a=b", "--folder=/f");

    assertThat(options)
        .isEqualTo(
            new DemoOptions(
                Path.of("/a=b"),
                Path.of("/f"),
                URI.create("http://localhost:1"),
                "n",
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void waits_of_the_routes_may_be_shortened() {
    DemoOptions options =
        DemoOptions.read(
            "--node=n",
            "--address=http://localhost:1",
            "--repository=/a",
            "--folder=/f",
            "--patience=PT1S");

    assertThat(options.patience()).contains(Duration.ofSeconds(1));
  }

  @Test
  void program_that_is_told_gets_its_password_from_a_file() {
    DemoOptions options =
        DemoOptions.read(
            "--node=n",
            "--address=http://localhost:1",
            "--repository=/a",
            "--folder=/f",
            "--automation=http://localhost:2/api/v1/alerts",
            "--password-file=/p");

    assertThat(options.automation())
        .contains(
            new ShippedRouting.Webhook(
                "automation",
                URI.create("http://localhost:2/api/v1/alerts"),
                "alertmanager",
                Path.of("/p")));
  }

  @Test
  void agent_with_tls_is_scraped_by_https() {
    DemoOptions options =
        DemoOptions.read(
            "--node=n", "--address=https://localhost:1", "--repository=/a", "--folder=/f");

    assertThat(options.target("demo"))
        .isEqualTo(Target.node("localhost:1", "demo", "n").with("__scheme__", "https"));
    assertThatThrownBy(
            () ->
                DemoOptions.read(
                    "--node=n", "--address=localhost:1", "--repository=/a", "--folder=/f"))
        .hasMessage("--address=localhost:1 is no http://HOST:PORT");
  }

  @Test
  void what_is_missing_is_named() {
    assertThatThrownBy(
            () ->
                DemoOptions.read("--address=http://localhost:1", "--repository=/a", "--folder=/f"))
        .hasMessage("--node=... is missing");
  }
}
