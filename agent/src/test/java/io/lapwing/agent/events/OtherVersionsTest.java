package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.FindingTracker;
import io.lapwing.agent.health.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent after an upgrade, and after a downgrade: the state directory of another version. */
class OtherVersionsTest {

  private static final Path KEPT = Path.of("src", "test", "resources", "state");
  private static final Instant NOW = Instant.parse("2027-03-01T09:00:00Z");
  private static final Event MORE = new Event.Started(NOW, "0.1.0");

  private final Path state;

  OtherVersionsTest(@TempDir Path state) {
    this.state = state;
  }

  private void takeOver(String version) throws IOException {
    Files.copy(KEPT.resolve(version).resolve("events.jsonl"), state.resolve("events.jsonl"));
  }

  private HistoryLog open() {
    return HistoryLog.open(state, Limits.DEFAULT, InstantSource.fixed(NOW));
  }

  private OpenResult read() {
    return HistoryLog.read(state, Limits.DEFAULT, InstantSource.fixed(NOW));
  }

  @Test
  void everyKindOfEventOfTheFirstVersionIsReadCompletely() throws Exception {
    takeOver("0.1");

    OpenResult opened = read();

    assertThat(opened.problems()).isEmpty();
    assertThat(opened.malformed() + opened.unknownKinds()).isZero();
    assertThat(opened.events().stream().map(Event::getClass).collect(Collectors.toSet()))
        .as(
            "all but newer kinds: host_fault, hardware changes, gpu_identified, finding_escalated, finding_confirmation, and what operators ask for")
        .hasSize(Event.class.getPermittedSubclasses().length - 13);
    Path written = Files.write(state.resolve("again"), EventJson.lines(opened.events()));
    assertThat(written)
        .as("what is read is all there was")
        .hasSameTextualContentAs(KEPT.resolve("0.1").resolve("events.jsonl"));
  }

  @Test
  void anOlderAgentSkipsUnknownKindsAndReadsTheRest() throws Exception {
    takeOver("newer");

    OpenResult opened = read();

    assertThat(opened.problems()).isEmpty();
    assertThat(opened.malformed()).isZero();
    assertThat(opened.unknownKinds()).isEqualTo(2);
    assertThat(opened.events())
        .hasSize(6)
        .anySatisfy(
            event ->
                assertThat(event)
                    .isInstanceOfSatisfying(
                        Event.Xid.class,
                        xid -> {
                          assertThat(xid.number()).isEqualTo(79);
                          assertThat(xid.origins()).containsExactly(Event.Origin.KERNEL);
                        }));
  }

  @Test
  void aFindingOfANewerAgentKeepsItsStartAndUnknownWordsCountAsUnknown() throws Exception {
    takeOver("newer");
    OpenResult opened = read();

    List<Finding> findings = new FindingTracker(List.of(), opened.events()).findings();

    assertThat(findings).extracting(Finding::rule).containsExactly("xid_79", "nic_flap");
    assertThat(findings.get(0).since()).isEqualTo(Instant.parse("2027-03-01T08:02:00.6Z"));
    assertThat(findings.get(1).disposition().severity()).isEqualTo(Severity.UNKNOWN);
    assertThat(findings.get(1).disposition().action()).isEqualTo(Action.WATCH);
    assertThat(findings.get(1).subject().text()).isEqualTo("nic:eth1");
  }

  @Test
  void linesOfANewerAgentSurviveADowngrade() throws Exception {
    takeOver("newer");
    List<String> before = Files.readAllLines(state.resolve("events.jsonl"));

    try (HistoryLog older = open()) {
      assertThat(older.append(List.of(MORE))).isInstanceOf(Durability.Durable.class);
    }
    OpenResult again = read();

    assertThat(Files.readAllLines(state.resolve("events.jsonl")))
        .startsWith(before.toArray(String[]::new))
        .hasSize(before.size() + 1);
    assertThat(again.unknownKinds()).isEqualTo(2);
    assertThat(again.events()).hasSize(7).endsWith(MORE);
  }
}
