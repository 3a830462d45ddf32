package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.metric.Metric;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LivePageTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static Query asked(Set<String> names) {
    return new Query() {
      @Override
      public String header(String name) {
        return "";
      }

      @Override
      public Set<String> names() {
        return names;
      }

      @Override
      public List<String> parameters(String name) {
        return List.of();
      }
    };
  }

  private static Answer answer(LiveSnapshot live, HealthReport health, List<Event> events) {
    return answer(live, health, events, Set.of());
  }

  private static Answer answer(
      LiveSnapshot live, HealthReport health, List<Event> events, Set<String> names) {
    return new LivePage(
            () -> new WebContent.AgentInfo("1.2.3", "node-7", false),
            () -> health,
            () -> events,
            () -> live)
        .answer(asked(names));
  }

  private static JsonNode json(Answer answer) throws Exception {
    return JSON.readTree(answer.body());
  }

  @Test
  void itHasTheAgentAndTheHealth() throws Exception {
    JsonNode live = json(answer(MadeLive.EMPTY, MadeReports.failing(), List.of()));

    assertThat(live.path("at").asText()).isEqualTo("2026-11-20T05:18:02Z");
    assertThat(live.path("hostname").asText()).isEqualTo("node-7");
    assertThat(live.path("version").asText()).isEqualTo("1.2.3");
    assertThat(live.path("health"))
        .isEqualTo(JSON.readTree(HealthJson.write(MadeReports.failing())));
  }

  @Test
  void aSimulatedReportMarksTheResponseAsSimulated() throws Exception {
    assertThat(
            json(answer(MadeLive.EMPTY, MadeReports.simulated(), List.of()))
                .path("simulated")
                .asBoolean())
        .isTrue();
    assertThat(
            json(answer(MadeLive.EMPTY, MadeReports.healthy(), List.of()))
                .path("simulated")
                .asBoolean())
        .isFalse();
  }

  @Test
  void itHasTheCountAndTimeOfEvents() throws Exception {
    JsonNode none = json(answer(MadeLive.EMPTY, MadeReports.healthy(), List.of()));
    JsonNode one =
        json(
            answer(
                MadeLive.EMPTY,
                MadeReports.healthy(),
                List.of(new Event.Started(MadeLive.NOW, "1.2.3"))));

    assertThat(none.path("events").toString()).isEqualTo("{\"kept\":0,\"last\":null}");
    assertThat(one.path("events").toString())
        .isEqualTo("{\"kept\":1,\"last\":\"2026-11-20T05:18:02Z\"}");
  }

  @Test
  void aRowHasNamesNumbersAndTheReadTime() throws Exception {
    JsonNode live = json(answer(MadeLive.named("a\"b"), MadeReports.healthy(), List.of()));
    JsonNode efa = live.path("efa").path(0);

    assertThat(efa.path("device").asText()).isEqualTo("a\"b");
    assertThat(efa.path("tx_bytes").isIntegralNumber()).isTrue();
    assertThat(efa.path("tx_bytes").asLong()).isEqualTo(7);
    assertThat(efa.path("counted_at").asDouble()).isEqualTo((double) MadeLive.NOW.getEpochSecond());
    assertThat(live.path("gpus").path(0).path("xids").toString()).isEqualTo("{\"a\\\"b\":7}");
    assertThat(live.path("troubles").path(0).path("hung_seconds").asDouble()).isEqualTo(7);
  }

  @Test
  void ratesAreThereIfTheyAreAskedFor() throws Exception {
    LiveSnapshot live = MadeLive.named("rdmap0");
    LiveTable.Column sent =
        new LiveTable.Column.Value(Metric.counter("lapwing_any_total", "Any."), "tx_bytes");
    LiveSnapshot.LiveRow device = live.tables().getOrDefault("efa", List.of()).get(0);
    device.addRate(sent, 3.5);
    device.addRate(sent, 9);
    device.addRate(new LiveTable.Column.Value(sent.metric(), "rx"), -1);

    assertThat(json(answer(live, MadeReports.healthy(), List.of())).at("/efa/0/per_second"))
        .isEmpty();
    assertThat(
            json(answer(live, MadeReports.healthy(), List.of(), Set.of("rates")))
                .at("/efa/0/per_second")
                .toString())
        .as("of the first series; a counter that was reset has no rate")
        .isEqualTo("{\"tx_bytes\":3.5}");
  }

  @Test
  void itIsOneLineOfAscii() {
    byte[] body =
        answer(MadeLive.named("\u009b31m\nümlaut"), MadeReports.healthy(), List.of()).body();
    String text = new String(body, StandardCharsets.ISO_8859_1);

    assertThat(text).endsWith("\n").hasLineCount(1).matches("[\\x20-\\x7e]*\n");
  }
}
