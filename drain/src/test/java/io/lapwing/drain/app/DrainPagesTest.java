package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.WebServer;
import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.fake.Nodes;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Channel;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Ports;
import io.lapwing.drain.remediation.Remediation;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainPagesTest {

  private static final List<String> POSTS =
      List.of("alerts", "requests", "pause", "unpause", "sns");

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path dir;

  private final FakeCluster fake = new FakeCluster(2, Policy.DEFAULT);
  private final NodeDirectory directory = new NodeDirectory();
  private final WatchedCluster cluster = new WatchedCluster(fake, directory);
  private final WatchedJournal journal =
      new WatchedJournal(new MemoryJournal(), entry -> {}, () -> fake.now);
  private final Loop loop =
      new Loop(
          new Controller(Policy.DEFAULT, Ports.of(cluster, fake, fake, Optional::empty), journal),
          Duration.ofHours(1),
          controller -> new Snapshot(Optional.of(controller.state(fake.now)), List.of()),
          () -> fake.now);
  private final RequestIntake intake = new RequestIntake(loop);
  private WebServer server;

  @BeforeEach
  void serve() throws Exception {
    DrainSettings settings =
        ((Invocation.Run)
                Configuration.read(
                    List.of(
                        "--web.listen-address=127.0.0.1:0",
                        "--web.unix-socket=" + socket(),
                        "--sns.topics=arn:aws:sns:us-east-1:111122223333:lapwing"),
                    Map.of(),
                    ParallelClusterHost.NONE))
            .configuration()
            .settings();
    KillSwitch killSwitch = new KillSwitch(dir.resolve("paused"));
    DrainPages pages =
        new DrainPages(
            new State(loop, cluster, journal, killSwitch, Optional::empty, InputWatches.polled()),
            () -> Policy.DEFAULT,
            Receivers.of(settings, intake, directory, Nodes.noAlerts()),
            directory,
            killSwitch,
            Optional.empty(),
            new DrainMetrics(),
            () -> fake.now,
            "1");
    server =
        WebServer.start(settings.web(), pages::add, new DrainMetrics(), List.of(), Timing.USUAL);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Path socket() {
    return dir.resolve("drain.sock");
  }

  /** Over a connection of its own: the server closes one whose request it did not read. */
  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(server.urls().get(0) + path));
  }

  @Test
  void whatChangesSomethingIsPostedOnly() throws Exception {
    for (String path : POSTS) {
      HttpResponse<String> answer = send(to("/api/v1/" + path).GET());
      assertThat(answer.statusCode()).as(path).isEqualTo(405);
      assertThat(answer.headers().firstValue("Allow")).as(path).contains("POST");
      assertThat(answer.body()).as(path).isEqualTo("the supported methods are POST\n");
      assertThat(send(to("/api/v1/" + path).DELETE()).statusCode()).as(path).isEqualTo(405);
    }
  }

  @Test
  void whatIsReadIsNotPosted() throws Exception {
    for (String path : List.of("/metrics", "/ui", "/api/v1/status", "/api/v1/history")) {
      HttpResponse<String> answer = send(to(path).POST(HttpRequest.BodyPublishers.ofString("{}")));
      assertThat(answer.statusCode()).as(path).isEqualTo(405);
      assertThat(answer.headers().firstValue("Allow")).as(path).contains("GET, HEAD");
    }
  }

  private ControllerClient.Answer post(String path, int bytes) throws Exception {
    ObjectNode large = JsonNodeFactory.instance.objectNode().put("reason", "x".repeat(bytes));
    return ControllerClient.over(socket()).post("/api/v1/" + path, large);
  }

  @Test
  void aMessageThatIsTooLargeIsCountedAsOthersThatAreRefused() throws Exception {
    assertThat(post("alerts", 1 << 20))
        .isEqualTo(
            new ControllerClient.Answer(413, "too_large: message: more than 1048576 bytes\n"));
    assertThat(post("sns", 1 << 20).status()).isEqualTo(413);
    assertThat(post("requests", 1 << 14))
        .isEqualTo(new ControllerClient.Answer(413, "too_large: message: more than 16384 bytes\n"));
    assertThat(post("pause", 1 << 14))
        .isEqualTo(new ControllerClient.Answer(413, "more than 16384 bytes\n"));

    assertThat(intake.counts().of(Channel.ALERTMANAGER, Result.TOO_LARGE)).isEqualTo(1);
    assertThat(intake.counts().of(Channel.SNS, Result.TOO_LARGE)).isEqualTo(1);
    assertThat(intake.counts().of(Channel.OPERATOR, Result.TOO_LARGE)).isEqualTo(1);
  }

  @Test
  void theReasonThatANodeHadBeforeItsDrainIsShown() throws Exception {
    NodeName node = new NodeName("n0001");
    journal.append(
        new Entry(
            fake.now,
            "drain: XID 79",
            new Remediation(
                "1-1",
                node,
                Remedy.REBOOT_NODE,
                Urgency.NOW,
                "xid_79",
                "XID 79",
                fake.now,
                fake.now,
                Phase.RETURNED,
                fake.now,
                Optional.of(fake.now),
                "fan is loud\u001b[2J, Kim",
                "",
                List.of(),
                List.of(),
                Remediation.Seen.NOTHING),
            Optional.empty()));
    loop.start();
    await().until(() -> loop.snapshot().state().isPresent());

    String shown =
        StateText.explain(
            JSON.readTree(ControllerClient.over(socket()).get("/api/v1/explain/n0001").body()));
    assertThat(shown)
        .contains(
            "remediation 1-1, ended "
                + journal.recent().get(0).at()
                + "\n  the reason of the node before it: fan is loud [2J, Kim\n");
  }

  @Test
  void whoElseMayActOnANodeIsInItsExplanation() throws Exception {
    fake.mayAct(fake.node(1), "EKS replaces or reboots the node");
    loop.start();
    await().until(() -> loop.snapshot().state().isPresent());

    String shown =
        StateText.explain(
            JSON.readTree(ControllerClient.over(socket()).get("/api/v1/explain/n0001").body()));
    assertThat(shown).contains("beside the controller: EKS replaces or reboots the node\n");
  }

  @Test
  void theHistoryHasThePausesBetweenTheDecisions() throws Exception {
    ControllerClient client = ControllerClient.over(socket());
    post("pause", 3);
    fake.now = fake.now.plusSeconds(1);
    client.post("/api/v1/unpause", JsonNodeFactory.instance.objectNode());

    String user = System.getProperty("user.name");
    assertThat(StateText.history(JSON.readTree(client.get("/api/v1/history").body())))
        .isEqualTo(
            fake.now.minusSeconds(1)
                + "  paused: xxx ("
                + user
                + ")\n"
                + fake.now
                + "  no longer paused ("
                + user
                + ")\n");
  }
}
