package io.lapwing.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakOptionsTest {

  @Test
  void everythingIsTakenFromTheCommandLine() {
    SoakOptions options =
        SoakOptions.parse(
            List.of("--pass-seconds", "30", "--json", "a.json", "--", "java", "agent", "--x"));
    assertThat(options.whole()).isEqualTo(Duration.ofMinutes(2));
    assertThat(options.json()).contains(Path.of("a.json"));
    assertThat(options.command("check", List.of("--brief")))
        .containsExactly("java", "check", "--brief", "--x");
  }

  @Test
  void missingAndUnknownOptionsAreReported() {
    assertThatThrownBy(() -> SoakOptions.parse(List.of("--pass-seconds", "30")))
        .hasMessageContaining("agent's command");
    assertThatThrownBy(() -> SoakOptions.parse(List.of("--what", "1", "--", "agent")))
        .hasMessageContaining("--what");
  }
}
