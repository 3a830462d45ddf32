package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetOptionsTest {

  @Test
  void valuesFollowAnEqualsSignOrAsTheNextWord() {
    FleetOptions options = parse("--nodes=10,20", "--interval", "30s", "--keep", "a.yml");
    assertThat(options.sizes()).containsExactly(10, 20);
    assertThat(options.interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.keep()).contains(Path.of("a.yml"));
  }

  @Test
  void quickIsSmallAndWhatIsSaidBesidesItHolds() {
    FleetOptions options = parse("--quick", "--nodes=5");
    assertThat(options.sizes()).containsExactly(5);
    assertThat(options.interval()).isEqualTo(Duration.ofSeconds(15));
    assertThat(parse("--quick").sizes()).containsExactly(20, 40);
  }

  @Test
  void theCommandsOfSimulatorAndAgentStandAtTheEnd() {
    Commands commands = parse().commands();
    assertThat(commands.simulate("--play")).containsExactly("sim", "-x", "--play");
    assertThat(commands.watch(List.of("--once"))).containsExactly("agent", "--once");
  }

  @Test
  void aFlagThatIsUnknownOrWithoutItsValueIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("--node=3"))
        .withMessageContaining("--node=3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("--nodes"))
        .withMessageContaining("--nodes");
    assertThatIllegalArgumentException().isThrownBy(() -> parse("--nodes=0"));
    assertThatIllegalArgumentException().isThrownBy(() -> FleetOptions.parse(List.of("--quick")));
  }

  private static FleetOptions parse(String... flags) {
    List<String> arguments = new ArrayList<>(List.of(flags));
    arguments.addAll(List.of("--", "sim", "-x", "--", "agent"));
    return FleetOptions.parse(arguments);
  }
}
