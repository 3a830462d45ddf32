package io.lapwing.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchOptionsTest {

  @Test
  void everythingBehindTheTwoDashesIsTheAgentsCommand() {
    BenchOptions options =
        BenchOptions.parse(List.of("--quick", "--json", "out.json", "--", "java", "--quick"));
    assertThat(options.quick()).isTrue();
    assertThat(options.json()).contains(Path.of("out.json"));
    assertThat(options.agentCommand()).containsExactly("java", "--quick");
  }

  @Test
  void namesAFlagThatItDoesNotKnow() {
    assertThatThrownBy(() -> BenchOptions.parse(List.of("--fast", "--", "java")))
        .hasMessageContaining("--fast");
  }
}
