package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DemoOptionsTest {

  @Test
  void value_may_hold_what_separates_it_from_its_name() {
    DemoOptions options =
        DemoOptions.read("--node=n", "--address=localhost:1", "--repository=/a=b", "--folder=/f");

    assertThat(options)
        .isEqualTo(
            new DemoOptions(Path.of("/a=b"), Path.of("/f"), "localhost:1", "n", Optional.empty()));
  }

  @Test
  void waits_of_the_routes_may_be_shortened() {
    DemoOptions options =
        DemoOptions.read(
            "--node=n",
            "--address=localhost:1",
            "--repository=/a",
            "--folder=/f",
            "--patience=PT1S");

    assertThat(options.patience()).contains(Duration.ofSeconds(1));
  }

  @Test
  void what_is_missing_is_named() {
    assertThatThrownBy(
            () -> DemoOptions.read("--address=localhost:1", "--repository=/a", "--folder=/f"))
        .hasMessage("--node=... is missing");
  }
}
