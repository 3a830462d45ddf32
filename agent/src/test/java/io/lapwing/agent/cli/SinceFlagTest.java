package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SinceFlagTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static Optional<Instant> since(String... args) throws ConfigException {
    return SinceFlag.of(CommandLine.of(List.of(args), Set.of(), Set.of(SinceFlag.FLAG)), NOW);
  }

  @Test
  void aDurationIsBeforeNowAndATimeIsItself() throws Exception {
    assertThat(since("--since=90m")).contains(Instant.parse("2026-11-20T10:30:00Z"));
    assertThat(since("--since=2026-11-19T03:00:00Z"))
        .contains(Instant.parse("2026-11-19T03:00:00Z"));
    assertThat(since()).isEmpty();
  }

  @Test
  void anythingElseIsAUsageError() {
    assertThatThrownBy(() -> since("--since=yesterday"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("flag --since: 'yesterday' is neither a duration");
  }
}
