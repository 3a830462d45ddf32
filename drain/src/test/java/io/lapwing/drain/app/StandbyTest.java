package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.drain.app.Configuration.Invocation;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StandbyTest {
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void aControllerThatDoesNotLeadSaysSoUntilItDoes() throws Exception {
    AtomicReference<Optional<String>> notLeading =
        new AtomicReference<>(Optional.of("not the leader: b holds the Lease gpu/drain"));
    int port = freePort();
    DrainSettings settings =
        ((Invocation.Run)
                Configuration.read(
                    List.of("--web.listen-address=127.0.0.1:" + port, "--web.unix-socket="),
                    Map.of(),
                    ParallelClusterHost.NONE))
            .configuration()
            .settings();

    CompletableFuture<Void> leads =
        CompletableFuture.runAsync(
            () -> {
              try {
                Standby.await(notLeading::get, settings);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    String url = "http://127.0.0.1:" + port;
    await().ignoreExceptions().until(() -> get(url + "/-/healthy").statusCode() == 200);

    HttpResponse<String> ready = get(url + "/-/ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body()).isEqualTo("not the leader: b holds the Lease gpu/drain\n");
    assertThat(get(url + "/metrics").body()).contains("\nlapwing_drain_leader 0.0\n");
    assertThat(get(url + "/api/v1/status").statusCode()).isEqualTo(503);
    assertThat(leads).isNotDone();

    notLeading.set(Optional.empty());
    leads.get(20, TimeUnit.SECONDS);
  }

  private HttpResponse<String> get(String url) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
