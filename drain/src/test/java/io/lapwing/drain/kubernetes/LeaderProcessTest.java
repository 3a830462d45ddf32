package io.lapwing.drain.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.lapwing.drain.app.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class LeaderProcessTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path dir;

  @Test
  void aControllerLeadsAndEndsWhenAnotherHasItsLease() throws Exception {
    try (ApiServer api = ApiServer.ofObjects()) {
      Path log = dir.resolve("log");
      Process process = start(api, log);
      try {
        await().atMost(LIMIT).until(() -> Files.readString(log).contains("this controller leads"));
        await().atMost(LIMIT).until(() -> Files.exists(dir.resolve("state/journal.jsonl")));

        // The controller renews it meanwhile, so an edit may conflict.
        await()
            .atMost(LIMIT)
            .ignoreException(KubernetesClientException.class)
            .until(() -> taken(api));

        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(log)).contains("the Lease is lost");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static boolean taken(ApiServer api) {
    Lease lease =
        api.client
            .leases()
            .inNamespace("gpu")
            .withName("drain")
            .edit(
                mine -> {
                  mine.getSpec().setHolderIdentity("another");
                  mine.getSpec().setRenewTime(ZonedDateTime.now(ZoneOffset.UTC).plusHours(1));
                  return mine;
                });
    return lease.getSpec().getHolderIdentity().equals("another");
  }

  private Process start(ApiServer api, Path log) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dkubernetes.master=" + api.client.getMasterUrl(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "run",
            "--scheduler=kubernetes",
            "--kubernetes.lease=gpu/drain",
            "--path.state=" + dir.resolve("state"),
            "--web.listen-address=127.0.0.1:0",
            "--web.unix-socket=")
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
