package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ControllerProcessTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path dir;

  private static void awaitReady(ControllerProcess controller) {
    await().atMost(LIMIT).until(() -> controller.command("status").contains("\nmodes:"));
  }

  private static String request(ControllerProcess controller) {
    return controller.command(
        "request", "localhost", "--action", "replace_node", "--reason", "it smells of smoke");
  }

  @Test
  void aRequestedNodeIsDrainedAndStaysOursOverACrash() throws Exception {
    try (ControllerProcess controller = new ControllerProcess(dir, "--mode.drain=act")) {
      awaitReady(controller);
      assertThat(request(controller)).startsWith("0\ntaken: localhost");
      await().atMost(LIMIT).until(() -> controller.nodes().contains("Reason=lapwing-drain "));
      await()
          .atMost(LIMIT)
          .until(() -> controller.command("status").contains("a person has to replace it"));

      controller.crash();
      awaitReadyAgain(controller);

      assertThat(controller.command("status")).contains("localhost  drained (held)");
      assertThat(controller.command("explain", "localhost"))
          .contains("localhost: drained, reason: lapwing-drain ")
          .contains("requested by operator ")
          .contains("[no job is running");
      assertThat(controller.command("history", "--since=1h")).contains("no job is left");
      assertThat(controller.command("explain", "elsewhere"))
          .isEqualTo("1\nthe scheduler has no node elsewhere\n");
      assertThat(request(controller)).startsWith("0\n");
    }
  }

  private static void awaitReadyAgain(ControllerProcess controller) {
    await()
        .atMost(LIMIT)
        .until(() -> controller.command("status").contains("localhost  drained (held)"));
  }

  @Test
  void theKillSwitchAndDryRunLeaveTheNodeAlone() throws Exception {
    try (ControllerProcess controller = new ControllerProcess(dir)) {
      awaitReady(controller);
      assertThat(request(controller)).startsWith("0\n");
      await().atMost(LIMIT).until(() -> controller.command("status").contains("would drain"));

      assertThat(controller.command("pause", "--reason=the fabric is being repaired"))
          .startsWith("0\npaused");
      assertThat(controller.command("status")).contains("PAUSED: the fabric is being repaired (");
      assertThat(controller.command("unpause")).startsWith("0\nno longer paused");
      assertThat(controller.command("history"))
          .containsPattern("Z  paused: the fabric is being repaired \\(\\w+\\)\n")
          .containsPattern("Z  no longer paused \\(\\w+\\)\n");
      assertThat(controller.nodes()).contains("State=IDLE ");
    }
  }

  @Test
  void aReloadAppliesTheModesOfTheFileAndSaysSo() throws Exception {
    Path file = Files.writeString(dir.resolve("drain.yml"), "mode.drain: observe\n");
    try (ControllerProcess controller = new ControllerProcess(dir, "--config.file=" + file)) {
      awaitReady(controller);
      assertThat(request(controller)).startsWith("0\n");
      await().atMost(LIMIT).until(() -> controller.command("status").contains("observed: "));

      Files.writeString(file, "mode.drain: act\nmode.reset: nonsense\n");
      controller.reload();
      await().atMost(LIMIT).until(() -> controller.logged().contains("configuration not reloaded"));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  controller
                      .command("status")
                      .contains("NOT RELOADED, the previous configuration stays in effect: at 20"));
      assertThat(controller.command("status"))
          .contains(file + ":2: mode.reset: 'nonsense' is not one of observe, dry-run, act");
      Files.writeString(file, "mode.drain: act\n");
      controller.reload();

      await().atMost(LIMIT).until(() -> controller.nodes().contains("Reason=lapwing-drain "));
      assertThat(controller.logged()).contains("msg=changed key=mode.drain from=observe to=act");
      assertThat(controller.command("status")).doesNotContain("NOT RELOADED");
    }
  }

  @Test
  void overTcpNothingIsTakenFromStrangersAndTheMetricsAreServed() throws Exception {
    try (ControllerProcess controller = new ControllerProcess(dir)) {
      awaitReady(controller);
      HttpClient client = HttpClient.newHttpClient();
      for (String path : new String[] {"alerts", "requests", "pause", "unpause"}) {
        HttpResponse<String> refused =
            client.send(
                HttpRequest.newBuilder(URI.create(controller.url() + "/api/v1/" + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).as(path).isEqualTo(403);
      }
      assertThat(get(client, controller, "/metrics"))
          .contains("lapwing_drain_scheduler_blind 0.0", "lapwing_drain_mode{verb=\"drain\",mode=");
      assertThat(get(client, controller, "/ui")).contains("<h1>Lapwing drain</h1>");
      assertThat(get(client, controller, "/-/ready")).isEqualTo("ready\n");
    }
  }

  private static String get(HttpClient client, ControllerProcess controller, String path)
      throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(controller.url() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
