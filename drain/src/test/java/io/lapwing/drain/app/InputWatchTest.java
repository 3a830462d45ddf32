package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.ConfigException;
import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.agents.HealthPoller.Round;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputWatchTest {

  @TempDir private Path dir;

  private static InputWatch watch(String... args) throws ConfigException {
    return InputWatch.of(
        ((Invocation.Run) Configuration.read(List.of(args), Map.of(), ParallelClusterHost.NONE))
            .configuration()
            .settings());
  }

  @Test
  void withoutAnyWayForFaultsTheStatusSaysSo() throws Exception {
    assertThat(watch().problems())
        .singleElement()
        .asString()
        .startsWith("no fault reaches the controller: set agent.poll");
    assertThat(watch("--agent.poll=30s").problems()).isEmpty();
    assertThat(watch("--sqs.queue=https://sqs.example/1/q", "--aws.region=us-east-1").problems())
        .isEmpty();
  }

  @Test
  void aWebConfigurationIsAWayOnlyWithUsers() throws Exception {
    Path open = Files.writeString(dir.resolve("open.yml"), "basic_auth_users: {}\n");
    Path users =
        Files.writeString(
            dir.resolve("users.yml"),
            """
            basic_auth_users:
              alertmanager: $2y$04$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuabcdefghij
            """);

    assertThat(watch("--web.config.file=" + open).problems()).hasSize(1);
    assertThat(watch("--web.config.file=" + users).problems()).isEmpty();
  }

  @Test
  void silentAgentsAndABrokenQueueAreInTheStatusUntilTheyAnswer() throws Exception {
    InputWatch watch = watch("--agent.poll=30s");
    watch.polled(new Round(2, Map.of(new NodeName("gpu-1"), "refused"), new Intake(List.of())));
    watch.queueRead(Optional.of("denied"));

    assertThat(watch.problems())
        .containsExactly("1 of 3 agents did not answer", "the queue of SQS cannot be read: denied");

    watch.polled(new Round(3, Map.of(), new Intake(List.of())));
    watch.queueRead(Optional.empty());

    assertThat(watch.problems()).isEmpty();
    assertThat(watch.agents()).contains(new InputWatch.Agents(3, 0));
  }
}
