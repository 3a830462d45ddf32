package io.lapwing.drain.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.QueuedJob;
import io.lapwing.drain.cluster.Scheduler.CannotSee;
import io.lapwing.drain.cluster.Scheduler.View;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** slurmrestd of a real Slurm has to show what scontrol and squeue show. */
@Tag("slow")
class RealSlurmRestTest {

  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Path PROGRAM = Path.of("/usr/sbin/slurmrestd");
  private static final String OURS = "lapwing-drain 1798854460-8";

  @TempDir private static Path dir;
  private static @Nullable OneNodeSlurm started;

  private final OneNodeSlurm slurm = slurm();
  private final NodeName node = new NodeName(slurm.node);
  private final List<Process> servers = new ArrayList<>();

  @BeforeAll
  static void aSlurm() throws IOException {
    assumeTrue(OneNodeSlurm.missing().isEmpty(), OneNodeSlurm.missing());
    assumeTrue(Files.isExecutable(PROGRAM), PROGRAM + " is not installed");
    boolean tokens = Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/slurm-wlm/auth_jwt.so"));
    started = tokens ? OneNodeSlurm.startWithTokens(dir) : OneNodeSlurm.start(dir);
  }

  @AfterAll
  static void stop() throws IOException {
    if (started != null) {
      started.close();
    }
  }

  private static OneNodeSlurm slurm() {
    if (started == null) {
      throw new IllegalStateException("not started");
    }
    return started;
  }

  @AfterEach
  void end() throws IOException {
    servers.forEach(Process::destroy);
    slurm.tryRun("scancel", "--user=root");
  }

  /** It refuses to run as root, or as the user of Slurm. */
  private void serve(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=nobody",
                "--regid=nogroup",
                "--clear-groups",
                PROGRAM.toString(),
                "-s",
                "v0.0.36,v0.0.37,v0.0.38"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("slurmrestd.log").toFile());
    builder.environment().put("SLURM_CONF", slurm.conf.toString());
    if (command.contains("rest_auth/jwt")) {
      builder.environment().put("SLURM_JWT", "daemon");
    }
    servers.add(builder.start());
  }

  private static SlurmScheduler scheduler(SlurmRest rest) {
    return new SlurmScheduler(rest, NvlinkDomains.NONE, SlurmPlatform.SLURM, Clock.systemUTC());
  }

  private static ClusterView view(SlurmScheduler scheduler) {
    return ((View) scheduler.view()).cluster();
  }

  private static Set<QueuedJob> queue(SlurmScheduler scheduler) {
    return Set.copyOf(((Queue) scheduler.queue()).jobs());
  }

  /** Whatever slurmrestd shows is the same as by the programs. */
  private void showsTheSame(SlurmScheduler rest) {
    SlurmScheduler programs =
        new SlurmScheduler(
            slurm.commands(), NvlinkDomains.NONE, SlurmPlatform.SLURM, Clock.systemUTC());
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(view(rest).nodes()).isEqualTo(view(programs).nodes());
              assertThat(view(rest).jobs())
                  .containsExactlyInAnyOrderElementsOf(view(programs).jobs());
              assertThat(queue(rest)).isEqualTo(queue(programs));
            });
  }

  @Test
  void overItsUnixSocketNodesAndJobsAreThoseOfThePrograms() throws IOException {
    Path folder = Files.createDirectory(dir.resolve("rest"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path socket = folder.resolve("socket");
    serve("unix:" + socket);
    SlurmScheduler rest =
        scheduler(
            new SlurmRest(
                URI.create("http://localhost"), Optional.of(socket), Optional.empty(), TIMEOUT));
    await().atMost(LIMIT).until(() -> rest.view() instanceof View);
    showsTheSame(rest);

    slurm.submit("--array=0-9", "--gres=gpu:8");
    slurm.submit("--hold", "--gres=gpu:4", "--nodes=1-2", "--job-name=\"a\nb");
    slurm.submit("--array=1-40:3%2", "--begin=now+1hour");
    slurm.submit("--hold", "--ntasks=1", ":", "--ntasks=1");
    await().atMost(LIMIT).until(() -> view(rest).jobs().size() == 1);
    showsTheSame(rest);
    assertThat(queue(rest)).hasSize(5);

    slurm.scontrol("update", "NodeName=" + node, "State=DRAIN", "Reason=new PSU", "Comment=rack 7");
    showsTheSame(rest);
    assertThat(rest.drain(node, OURS)).isInstanceOf(Refused.class);
    slurm.scontrol("update", "NodeName=" + node, "State=FAIL", "Reason=Action:Replace");
    showsTheSame(rest);
    slurm.scontrol("update", "NodeName=" + node, "State=RESUME", "Comment=");
    await().atMost(LIMIT).until(() -> view(rest).node(node).orElseThrow().registered());

    assertThat(rest.drain(node, OURS))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.why()).startsWith("slurmrestd cannot change nodes by v0.0.38"));
    assertThat(rest.drain(new NodeName("nosuch"), OURS)).isInstanceOf(NotYet.class);
    slurm.stopController();
    try {
      assertThat(rest.view()).isInstanceOf(CannotSee.class);
    } finally {
      slurm.startController();
    }
    await().atMost(LIMIT).until(() -> rest.view() instanceof View);
    showsTheSame(rest);
  }

  @Test
  void overTcpATokenIsNeeded() throws IOException {
    assumeTrue(Files.readString(slurm.conf).contains("auth/jwt"), "no tokens");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    serve("-a", "rest_auth/jwt", "127.0.0.1:" + port);
    String printed = slurm.scontrol("token", "username=nobody").strip();
    Path token =
        Files.writeString(dir.resolve("token"), printed.substring("SLURM_JWT=".length()) + "\n");
    URI base = URI.create("http://127.0.0.1:" + port);
    SlurmScheduler rest =
        scheduler(new SlurmRest(base, Optional.empty(), Optional.of(token), TIMEOUT));
    await().atMost(LIMIT).until(() -> rest.view() instanceof View);
    showsTheSame(rest);

    assertThat(scheduler(new SlurmRest(base, Optional.empty(), Optional.empty(), TIMEOUT)).view())
        .isEqualTo(new CannotSee("slurmrestd answered 401"));
    Files.writeString(token, "x" + Files.readString(token));
    assertThat(rest.view()).isInstanceOf(CannotSee.class);
  }
}
