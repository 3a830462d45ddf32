package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventKind;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Subject;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.WebServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The health and events pages of the web server. */
class HealthPagesTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private final HttpClient client = HttpClient.newHttpClient();
  private HealthReport health = MadeReports.failing();
  private boolean simulated;
  private final List<Event> events = new ArrayList<>();
  private WebServer server;

  HealthPagesTest() throws Exception {
    server =
        AgentServer.start(
            new Settings.Web(
                List.of(new ListenAddress("127.0.0.1", 0)), "/metrics", 40, true, Optional.empty()),
            new WebContent(
                new FixedExposition("ecc"),
                () -> new WebContent.AgentInfo("1.2.3", "node-7", simulated),
                WebContent.Readiness.Ready::new,
                () -> "node",
                () -> health,
                () -> List.copyOf(events),
                () -> MadeLive.EMPTY,
                InstantSource.fixed(NOW)),
            new CountedRequests());
  }

  @BeforeEach
  void somethingHappened() {
    events.add(new Event.Booted(NOW.minus(Duration.ofDays(3)), "boot-1", "i-0123"));
    events.add(new Event.Started(NOW.minus(Duration.ofDays(2)), "1.2.3"));
    events.add(
        new Event.Xid(
            NOW.minus(Duration.ofHours(2)),
            MadeReports.uuid(3),
            "0000:53:00",
            OptionalInt.empty(),
            OptionalInt.of(2),
            79,
            OptionalLong.of(7194),
            "py\u009bthon",
            "GPU has fallen off the bus.",
            OptionalInt.empty(),
            Set.of(Event.Origin.NVML, Event.Origin.KERNEL),
            2,
            OptionalLong.empty()));
    events.add(new Event.GpuLost(NOW.minus(Duration.ofMinutes(90)), MadeReports.uuid(3), "lost"));
    events.add(new Event.GpuReset(NOW.minus(Duration.ofMinutes(5)), MadeReports.uuid(3), "boot"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.addresses().get(0).getPort() + path);
    return client.send(
        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
        BodyHandlers.ofString());
  }

  private List<String> kinds(String query) throws Exception {
    HttpResponse<String> answer = get("/api/v1/events" + query);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer
        .body()
        .lines()
        .filter(line -> line.contains("\"kind\""))
        .map(line -> line.replaceAll(".*: \"|\",?", ""))
        .toList();
  }

  @Test
  void theHealthIsServedWith200WhateverTheVerdict() throws Exception {
    HttpResponse<String> answer = get("/api/v1/health");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(answer.body())
        .isEqualTo(new String(HealthJson.write(MadeReports.failing()), StandardCharsets.UTF_8));
  }

  @Test
  void theHealthIsReadOnEachRequest() throws Exception {
    get("/api/v1/health");
    health = MadeReports.healthy();

    assertThat(get("/api/v1/health").body()).contains("\"verdict\" : \"healthy\"");
  }

  @Test
  void allEventsAreShownOldestFirst() throws Exception {
    assertThat(kinds("")).containsExactly("booted", "started", "xid", "gpu_lost", "gpu_reset");
  }

  @Test
  void anEventHasTheFormatOfTheEventLog() throws Exception {
    assertThat(get("/api/v1/events?kind=xid").body())
        .isEqualTo(
            """
            {
              "matching" : 1,
              "events" : [ {
                "kind" : "xid",
                "at" : "2026-11-20T10:00:00Z",
                "gpu" : "GPU-00000003-0000-0000-0000-000000000000",
                "pci" : "0000:53:00",
                "computeInstance" : 2,
                "number" : 79,
                "pid" : 7194,
                "process" : "py\\u009Bthon",
                "message" : "GPU has fallen off the bus.",
                "origins" : [ "kernel", "nvml" ],
                "times" : 2
              } ]
            }
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?since=2h                              | xid gpu_lost gpu_reset",
        "?since=119m                            | gpu_lost gpu_reset",
        "?since=2026-11-20T10:30:00Z            | gpu_lost gpu_reset",
        "?since=2026-11-20T10%3A30%3A00Z        | gpu_lost gpu_reset",
        "?since=1s                              | ''",
        "?limit=2                               | gpu_lost gpu_reset",
        "?kind=booted&kind=gpu_reset            | booted gpu_reset",
        "?since=2h&limit=1&kind=xid             | xid",
      })
  void theUrlFiltersEvents(String query, String kinds) throws Exception {
    assertThat(String.join(" ", kinds(query))).isEqualTo(kinds);
  }

  /** The log has them, as the first reading of each GPU. */
  @Test
  void rowsThatWereNeverRemappedAreNoEventUnlessTheyAreAskedFor() throws Exception {
    events.clear();
    events.add(new Event.RowsRemapped(NOW, "GPU-1", 0, 0));
    events.add(new Event.RowsRemapped(NOW, "GPU-2", 0, 1));

    assertThat(get("/api/v1/events").body())
        .contains("\"matching\" : 1", "GPU-2")
        .doesNotContain("GPU-1");
    assertThat(get("/api/v1/events?kind=rows_remapped").body()).contains("GPU-1", "GPU-2");
  }

  @Test
  void aLimitedResponseHasTheTotal() throws Exception {
    assertThat(get("/api/v1/events?since=3h&limit=1").body()).contains("\"matching\" : 3");
  }

  @Test
  void withoutALimitTheNewestThousandAreShown() throws Exception {
    for (int i = 0; i < 1500; i++) {
      events.add(new Event.GpuReturned(NOW, "GPU-" + i));
    }

    String page = get("/api/v1/events").body();

    assertThat(page).contains("\"matching\" : 1505", "GPU-1499", "\"GPU-500\"");
    assertThat(page).doesNotContain("\"GPU-499\"");
  }

  @Test
  void noEventsAreAnEmptyList() throws Exception {
    events.clear();

    assertThat(get("/api/v1/events").body()).contains("\"matching\" : 0", "\"events\" : [ ]");
  }

  @Test
  void everyKindOfEventCanBeSelected() throws Exception {
    assertThat(EventKind.all())
        .hasSize(Event.class.getPermittedSubclasses().length)
        .contains("sxid", "kernel_log_read", "verdict_changed", "operator_cleared");
    for (String kind : EventKind.all()) {
      assertThat(get("/api/v1/events?kind=" + kind).statusCode()).as(kind).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?since=yesterday  | since: 'yesterday' is neither a time such as 2026-11-20T03:00:00Z nor"
            + " a duration such as 90m, 12h or 7d",
        "?since=0s         | since: '0s' is neither",
        "?since=           | since: '' is neither",
        "?since=1h&since=2h| since is given more than once",
        "?limit=0          | limit: '0' is not a whole number from 1 to 10000",
        "?limit=-5         | limit: '-5' is not",
        "?limit=10001      | limit: '10001' is not",
        "?limit=ten        | limit: 'ten' is not",
        "?kind=xdi         | unknown kind 'xdi'; supported: application_ended, booted, ",
        "?kinds=xid        | unknown parameter 'kinds'; supported: since, limit, kind",
      })
  void anInvalidParameterIsNamed(String query, String sentence) throws Exception {
    HttpResponse<String> answer = get("/api/v1/events" + query);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).startsWith(sentence).endsWith("\n");
  }

  @Test
  void theLandingPageShowsFindingsAndAction() throws Exception {
    String page = get("/").body();

    assertThat(page)
        .contains(
            "<h2 class=\"failing\">FAILING, action: replace_node (now)</h2>",
            "<p>GPU 3 has fallen off the bus</p>",
            "<p>Since 2026-11-20 03:12:44Z, last evaluated 2026-11-20 05:18:00Z, profile aws</p>",
            "<td class=\"failing\">failing</td><td>replace_node</td><td>GPU 3</td>",
            "GPU has fallen off the bus</td><td>xid_79</td><td class=\"time\">2026-11-20"
                + " 03:12:44Z</td>",
            "<td>nvidia-nvswitch0</td>",
            "href=\"api/v1/health\"",
            "href=\"api/v1/events?since=24h\"")
        .doesNotContain("SIMULATED");
    assertThat(page.lines().filter(line -> line.startsWith("<tr><td"))).hasSize(3);
  }

  @Test
  void theLandingPageOfAHealthyNodeHasNoTable() throws Exception {
    health = MadeReports.healthy();

    assertThat(get("/").body())
        .contains(
            "<h2 class=\"healthy\">HEALTHY, no action required</h2>",
            "2 GPUs answer and nothing is wrong")
        .doesNotContain("<table");
  }

  @Test
  void theLandingPageShowsWhatOperatorsAskedFor() throws Exception {
    Instant until = Instant.parse("2026-11-20T14:00:00Z");
    Finding finding = MadeReports.failing().findings().get(0);
    health =
        MadeReports.during(
            MadeReports.healthy(),
            new Operations(
                Optional.of(new Operations.Maintenance(until, until, "swap <PSU>")),
                Optional.of(new Operations.Release(until, until, true)),
                List.of(new Operations.Test(finding, until))));

    assertThat(get("/").body())
        .contains(
            "<p>In maintenance until 2026-11-20 14:00:00Z: swap &lt;PSU&gt;</p>",
            "<p>The GPUs are released until 2026-11-20 14:00:00Z</p>",
            "<p>TEST xid_79 on ",
            ", no part of the verdict, until 2026-11-20 14:00:00Z</p>");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theBannerIsShownIfAgentOrReportIsSimulated(boolean report) throws Exception {
    health = report ? MadeReports.simulated() : MadeReports.failing();
    simulated = !report;

    assertThat(get("/").body()).contains("SIMULATED NODE");
  }

  @Test
  void textIsEscaped() throws Exception {
    health =
        MadeReports.with(
            List.of(
                MadeReports.finding(
                    "xid_43", Subject.NODE, Disposition.info(), "<script>alert(\"1\")</script>")));

    assertThat(get("/").body())
        .contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;")
        .doesNotContain("<script");
  }

  @Test
  void theLandingPageStaysShort() throws Exception {
    Finding one = MadeReports.failing().findings().get(0);
    health =
        MadeReports.with(
            java.util.stream.Stream.generate(() -> one).limit(500).collect(Collectors.toList()));

    String page = get("/").body();

    assertThat(page).contains("<p>and 450 more</p>");
    assertThat(page.length()).isLessThan(40_000);
  }
}
