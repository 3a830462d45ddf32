package io.lapwing.agent.actions;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.actions.ActionTable.Entry;
import io.lapwing.node.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ActionTableTest {

  private static final ActionTable TABLE = ActionTable.load();
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[a-z]+}");

  private static Stream<Entry> all(Platform platform) {
    return Stream.of(Step.values()).flatMap(step -> TABLE.of(platform, step).stream());
  }

  @ParameterizedTest
  @EnumSource(Platform.class)
  void everyPlatformHasEveryStep(Platform platform) {
    for (Step step : Step.values()) {
      assertThat(TABLE.of(platform, step)).as(step.id()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Platform.class)
  void everyCommandIsOneLineWithASourceAndKnownPlaceholders(Platform platform) {
    assertThat(all(platform))
        .allSatisfy(
            entry -> {
              assertThat(entry.command()).isNotBlank().doesNotContain("\n");
              assertThat(entry.source()).isNotBlank();
              assertThat(PLACEHOLDER.matcher(entry.command()).results().map(MatchResult::group))
                  .isSubsetOf(CommandValues.WORDS.keySet());
            });
  }

  @ParameterizedTest
  @EnumSource(Platform.class)
  void schedulersAreNotMixed(Platform platform) {
    List<String> commands = new ArrayList<>();
    all(platform).forEach(entry -> commands.add(entry.command()));

    assertThat(commands)
        .noneMatch(
            command ->
                platform.isSlurm() ? command.contains("kubectl") : command.contains("scontrol"));
  }

  /** The shell and the tools agree on the form: without quotes, or in single ones. */
  @Test
  void aReasonIsNotQuotedTwice() {
    for (Platform platform : Platform.values()) {
      assertThat(all(platform))
          .noneMatch(
              entry ->
                  entry.command().contains("'{reason}") || entry.command().contains("\"{reason}"));
    }
  }

  /** On ParallelCluster a drained node is terminated. */
  @Test
  void parallelClusterDrainsByAReservation() {
    assertThat(TABLE.of(Platform.PARALLELCLUSTER, Step.DRAIN))
        .noneMatch(entry -> entry.command().contains("state=drain"))
        .anyMatch(entry -> entry.command().contains("flags=maint"));
  }
}
