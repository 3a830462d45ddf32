package io.lapwing.drain.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.JobQueue.Unreadable;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.cluster.QueuedJob;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmRestTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-25T19:00:00Z"), ZoneOffset.UTC);
  private static final NodeName P5 = new NodeName("p5-1");
  private static final String OURS = "lapwing-drain 1798854460-8";
  private static final String NEW = "/slurm/v0.0.42/";
  private static final String NO_JOBS = "{\"errors\": [], \"jobs\": []}";

  @TempDir private Path dir;
  private FakeSlurmRest slurm;
  private SlurmScheduler scheduler;

  @BeforeEach
  void aSlurm() throws IOException {
    slurm = new FakeSlurmRest("v0.0.40", "v0.0.41", "v0.0.42");
    slurm.answers("GET " + NEW + "nodes", 200, Fixtures.text("rest-nodes-24.11.json"));
    slurm.answers("GET " + NEW + "jobs", 200, Fixtures.text("rest-jobs-24.11.json"));
    scheduler = scheduler(Optional.empty());
  }

  @AfterEach
  void close() {
    slurm.close();
  }

  private SlurmScheduler scheduler(Optional<Path> token) {
    return new SlurmScheduler(slurm.rest(token), NvlinkDomains.NONE, SlurmPlatform.SLURM, CLOCK);
  }

  private ClusterView view() {
    assertThat(scheduler.view()).isInstanceOf(View.class);
    return ((View) scheduler.view()).cluster();
  }

  private String blind() {
    assertThat(scheduler.view()).isInstanceOf(CannotSee.class);
    return ((CannotSee) scheduler.view()).why();
  }

  private NodeState node(String name) {
    return view().node(new NodeName(name)).orElseThrow();
  }

  @Test
  void nodesAreSeenAsByScontrol() {
    NodeState drained = node("p5-1");
    assertThat(drained.service()).isEqualTo(Service.DRAINED);
    assertThat(drained.heldFor(OURS)).isTrue();
    assertThat(drained.reasonBy()).isEqualTo("root");
    assertThat(drained.groups()).containsExactlyInAnyOrder("p5", "low");
    assertThat(drained.instanceId()).isEqualTo("i-0abc");
    assertThat(drained.booted()).contains(Instant.ofEpochSecond(1795669074));
    assertThat(drained.gpus()).isEqualTo(8);
    assertThat(drained.more().features()).containsExactlyInAnyOrder("p5", "efa");
    assertThat(drained.more().instanceType()).isEqualTo("p5.48xlarge");
    assertThat(node("p5-2").service()).isEqualTo(Service.IN_SERVICE);
    assertThat(node("p5-4").service()).isEqualTo(Service.OUT);
    assertThat(node("p5-4").registered()).isFalse();
    assertThat(node("p5-4").gpus()).as("not among the resources").isEqualTo(8);
    assertThat(view().node(new NodeName("p5-3"))).as("powered down").isEmpty();
  }

  @Test
  void jobsAreSeenAsBySqueue() {
    assertThat(view().jobs())
        .extracting(Job::id, Job::user, job -> job.nodes().size(), Job::gpus)
        .containsExactly(
            tuple("4700", "ada", 1, 8), // still leaves its node
            tuple("4711", "ada", 64, 512),
            tuple("4712_7", "ada", 1, 1),
            tuple("4713", "ada", 2, 16)); // of two components
    assertThat(((Queue) scheduler.queue()).jobs())
        .extracting(
            QueuedJob::id,
            QueuedJob::reason,
            QueuedJob::partitions,
            QueuedJob::nodes,
            QueuedJob::gpus,
            QueuedJob::tasks,
            QueuedJob::eligible)
        .containsExactly(
            tuple(
                "4712_[8-20:2%4]",
                "Priority",
                Set.of("p5", "low"),
                1,
                8,
                7L,
                Optional.of(Instant.ofEpochSecond(1795670000))),
            tuple("4730", "JobHeldUser", Set.of("p5"), 2, 8, 1L, Optional.empty()));
  }

  @Test
  void theOldFormOfSlurm2205IsRead() throws IOException {
    slurm.serves("v0.0.36", "v0.0.37", "v0.0.38");
    slurm.answers("GET /slurm/v0.0.38/nodes", 200, Fixtures.text("rest-nodes-22.05.json"));
    slurm.answers("GET /slurm/v0.0.38/jobs", 200, Fixtures.text("rest-jobs-22.05.json"));
    slurm.answers("GET /slurm/v0.0.38/node/vm", 200, Fixtures.text("rest-nodes-22.05.json"));

    assertThat(view().nodes()).containsOnlyKeys(new NodeName("vm"), new NodeName("absent1"));
    assertThat(node("vm").service()).isEqualTo(Service.IN_SERVICE);
    assertThat(node("vm").gpus()).isEqualTo(8);
    assertThat(view().jobs())
        .containsExactly(new Job("1_0", "root", Set.of(new NodeName("vm")), 8, Set.of("6")));
    assertThat(((Queue) scheduler.queue()).jobs())
        .extracting(QueuedJob::id, QueuedJob::reason, QueuedJob::gpus, QueuedJob::tasks)
        .containsExactlyInAnyOrder(
            tuple("1_[1-9]", "Resources", 8, 9L),
            tuple("2", "JobHeldUser", 0, 1L),
            tuple("3_[1-40:3%2]", "BeginTime", 0, 14L),
            tuple("4+0", "JobHeldUser", 0, 1L),
            tuple("4+1", "JobHeldUser", 0, 1L));
  }

  @Test
  void theHighestVersionThatBothSidesHaveIsUsed() {
    slurm.serves("v0.0.44", "v0.0.45", "v0.0.46");
    slurm.answers("GET /slurm/v0.0.45/jobs", 200, NO_JOBS);
    assertThat(scheduler.queue()).isEqualTo(new Queue(List.of()));
    assertThat(slurm.asked).containsExactly("GET /openapi/v3", "GET /slurm/v0.0.45/jobs");

    slurm.serves("v0.0.46"); // an upgrade
    slurm.answers("GET /slurm/v0.0.45/jobs", 404, "not found");
    assertThat(scheduler.queue()).isEqualTo(new Unreadable("slurmrestd answered 404"));
    assertThat(scheduler.queue())
        .isEqualTo(new Unreadable("slurmrestd serves none of v0.0.38 to v0.0.45 but [v0.0.46]"));
  }

  private void one(String state, String reason) {
    slurm.answers(
        "GET " + NEW + "node/p5-1",
        200,
        """
        {"errors": [], "nodes": [{"name": "p5-1", "state": [%s], "reason": "%s",
          "boot_time": {"set": false, "number": 0}, "alloc_cpus": 0, "partitions": ["p5"]}]}
        """
            .formatted(state, reason));
  }

  @Test
  void aNodeIsDrainedAndReturnedByPost() {
    one("\"IDLE\"", "");
    slurm.answers("POST " + NEW + "node/p5-1", 200, "{\"errors\": [], \"warnings\": []}");
    assertThat(scheduler.drain(P5, OURS))
        .isEqualTo(new Unclear("slurmrestd reported success; the node is IDLE"));
    one("\"IDLE\", \"DRAIN\"", OURS);
    assertThat(scheduler.drain(P5, OURS)).as("already").isEqualTo(CommandResult.ACCEPTED);
    assertThat(scheduler.resume(P5, OURS)).isInstanceOf(Unclear.class);

    assertThat(slurm.asked.stream().filter(one -> one.startsWith("POST")))
        .containsExactly(
            "POST "
                + NEW
                + "node/p5-1 {\"state\":[\"DRAIN\"],\"reason\":\""
                + OURS
                + "\",\"comment\":\""
                + OURS
                + " @2026-11-25T19:00:00Z\"}",
            "POST " + NEW + "node/p5-1 {\"state\":[\"UNDRAIN\"]}");
  }

  @Test
  void aNodeOfAnotherUserIsNotWrittenTo() {
    one("\"IDLE\", \"DRAIN\"", "new PSU, ask Kim");
    assertThat(scheduler.drain(P5, OURS))
        .isEqualTo(new Refused("it is DRAIN+IDLE (new PSU, ask Kim)"));
    assertThat(scheduler.resume(P5, OURS)).isInstanceOf(Refused.class);
    assertThat(scheduler.drain(new NodeName("all"), OURS))
        .isEqualTo(new NotYet("not drained: slurmrestd takes all for all nodes"));
    assertThat(slurm.asked).noneMatch(one -> one.startsWith("POST"));
  }

  @Test
  void aRefusalIsToldFromSilence() {
    one("\"IDLE\"", "");
    slurm.answers(
        "POST " + NEW + "node/p5-1",
        500,
        "{\"errors\": [{\"error\": \"Access/permission denied\", \"error_number\": 2050}]}");
    assertThat(scheduler.drain(P5, OURS))
        .isEqualTo(
            new Refused("slurmrestd answered 500: [Access/permission denied]; the node is IDLE"));
    slurm.answers(
        "POST " + NEW + "node/p5-1",
        500,
        "{\"errors\": [{\"description\": \"Unable to contact slurm controller\"}]}");
    assertThat(scheduler.drain(P5, OURS)).isInstanceOf(Unclear.class);
  }

  @Test
  void aVersionThatCannotChangeNodesRefuses() throws IOException {
    slurm.serves("v0.0.38");
    String one =
        "{\"errors\": [], \"nodes\": [{\"name\": \"p5-1\", \"state\": \"idle\", \"state_flags\":"
            + " [], \"reason\": \"\", \"boot_time\": 0, \"alloc_cpus\": 0}]}";
    slurm.answers("GET /slurm/v0.0.38/node/p5-1", 200, one);
    assertThat(scheduler.drain(P5, OURS))
        .isEqualTo(new Refused("slurmrestd cannot change nodes by v0.0.38; the node is IDLE"));
    assertThat(slurm.asked).noneMatch(request -> request.startsWith("POST"));
  }

  @Test
  void anAnswerThatIsNotInFullIsNotSeen() throws IOException {
    String nodes = Fixtures.text("rest-nodes-24.11.json");
    for (String broken :
        List.of(
            "",
            "[]",
            "{\"nodes\": 3}",
            "{}",
            nodes.substring(0, nodes.length() / 2),
            nodes.replace("\"name\": \"p5-2\"", "\"name\": \"-x\""),
            nodes.replace("\"name\": \"p5-2\"", "\"name\": \"p5-1\""),
            nodes.replace("\"alloc_cpus\": 0", "\"idle_cpus\": 0"),
            nodes.replace("\"IDLE\"\n", "\n"),
            nodes.replace("\"errors\": []", "\"errors\": [{\"error\": \"x\\u001b\"}]"))) {
      slurm.answers("GET " + NEW + "nodes", 200, broken);
      assertThat(blind()).as(broken).isNotBlank().doesNotContain("\u001b");
    }
    slurm.answers("GET " + NEW + "nodes", 200, nodes);
    slurm.answers("GET " + NEW + "jobs", 200, "{\"errors\": null, \"jobs\": null}");
    assertThat(blind())
        .as("not a cluster without jobs")
        .isEqualTo("slurmrestd answered 200: [no jobs]");
    slurm.answers("GET " + NEW + "nodes", 401, "Authentication failure");
    assertThat(blind()).isEqualTo("slurmrestd answered 401");
    slurm.close();
    assertThat(blind()).startsWith("slurmrestd does not answer: ");
  }

  @Test
  void theTokenIsReadForEachRequestAndNamesItsUser() throws IOException {
    String claims = "{\"exp\":1795673749,\"iat\":1795670149,\"sun\":\"lapwing-drain\"}";
    String token =
        "eyJhbGciOiJIUzI1NiJ9."
            + Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8))
            + ".signature";
    Path file = Files.writeString(dir.resolve("token"), token + "\n");
    scheduler = scheduler(Optional.of(file));
    Queue unused = (Queue) scheduler.queue();
    assertThat(slurm.credentials).containsOnly("lapwing-drain " + token);
    slurm.credentials.clear();

    Files.writeString(file, "other");
    unused = (Queue) scheduler.queue();
    assertThat(slurm.credentials).containsExactly("null other");
    Files.writeString(file, "a\r\nX-Other: b");
    assertThat(scheduler.queue()).isEqualTo(new Unreadable(file + ": not one line with a token"));
    Files.delete(file);
    assertThat(scheduler.queue())
        .isEqualTo(new Unreadable(file + " cannot be read: no such file or directory"));
  }
}
