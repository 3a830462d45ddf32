package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.web.AgentServer;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.web.RequestMeter;
import io.lapwing.common.web.WebServer;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.JobRun;
import io.lapwing.simulator.SimulatedNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all pages show of a job and of a program that crashed. */
class PrivatePageTest {

  private static final String JOB = "847362915";
  private static final String PROGRAM = "secret-train";
  private static final List<String> PATHS =
      List.of(
          "/metrics",
          "/api/v1/live",
          "/api/v1/health",
          "/api/v1/events",
          "/api/v1/node",
          "/api/v1/actions",
          "/");

  private static SimulatedNode node(Path dir) {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), InstanceType.named("g6.xlarge"));
    node.setAll(
        Map.of("training.job", JOB, "training.compute", "0.05", "training.communication", "0.02"));
    return node;
  }

  private static WebServer serve(TestAgent agent) throws Exception {
    return AgentServer.start(
        new Settings.Web(
            List.of(new ListenAddress("127.0.0.1", 0)), "/metrics", 40, true, Optional.empty()),
        agent.wiring().content(),
        RequestMeter.NONE);
  }

  private static String body(WebServer server, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.addresses().get(0).getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  /** The job has an owner and steps, and its program has crashed. */
  private static void awaitJob(WebServer server) {
    await()
        .atMost(TestAgent.PATIENCE)
        .untilAsserted(
            () -> {
              String page = body(server, "/metrics");
              assertThat(page)
                  .containsPattern("lapwing_training_steps_total\\{job_id=\"[^\"]+\"")
                  .containsPattern("lapwing_gpu_job_info\\{[^}]*job_id=\"[^\"]+\"")
                  .containsPattern("hpc_job=\"[^\"]+\"");
              assertThat(body(server, "/api/v1/events")).contains("MMU Fault");
            });
  }

  private static void crash(SimulatedNode node) {
    node.xid(0, 31, "pid=4321, name=" + PROGRAM + ", Ch 00000010, intr 00000000. MMU Fault");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashed", "hidden"})
  void noPageNamesAJobAUserOrAProgram(String privacy, @TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (JobRun job = node.letJobRun();
        TestAgent agent =
            TestAgent.quick(node, "--web.privacy=" + privacy, "--hpc-job-label", "--labels=full");
        WebServer server = serve(agent)) {
      assertThat(job.pids()).isNotNull();
      crash(node);
      awaitJob(server);

      for (String path : PATHS) {
        assertThat(body(server, path))
            .as(path)
            .doesNotContain(JOB, PROGRAM, "\"ada\"", "lapwing_training_loss{");
      }
      String page = body(server, "/metrics");
      assertThat(page).containsPattern("lapwing_training_steps_total\\{job_id=\"h[0-9a-f]{12}\"");
      assertThat(page.contains("user=\"h")).isEqualTo(privacy.equals("hashed"));
      assertThat(Files.readString(node.agentState().resolve("events.jsonl")))
          .doesNotContain(PROGRAM);
      assertThat(node.agentState().resolve("privacy.key")).hasSize(32);
    }
  }

  @Test
  void openShowsThem(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (JobRun job = node.letJobRun();
        TestAgent agent = TestAgent.quick(node, "--hpc-job-label");
        WebServer server = serve(agent)) {
      assertThat(job.pids()).isNotNull();
      crash(node);
      awaitJob(server);

      assertThat(body(server, "/metrics")).contains("job_id=\"" + JOB, "user=\"ada\"");
      assertThat(body(server, "/api/v1/events")).contains(PROGRAM);
    }
  }
}
