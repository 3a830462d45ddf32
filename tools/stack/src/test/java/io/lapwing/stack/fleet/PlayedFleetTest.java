package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlayedFleetTest {

  @Test
  void eachNodeHasASeparateResponse() throws IOException, InterruptedException {
    try (PlayedFleet fleet = fleet()) {
      assertThat(get(fleet, "/node/0/metrics").body()).contains("hostname=\"node-00000\"");
      assertThat(get(fleet, "/node/1/metrics").body()).contains("hostname=\"node-00001\"");
    }
  }

  @Test
  void anUnknownNodeIsNotFound() throws IOException, InterruptedException {
    try (PlayedFleet fleet = fleet()) {
      assertThat(get(fleet, "/node/2/metrics").statusCode()).isEqualTo(404);
      assertThat(get(fleet, "/node/x/metrics").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void promtoolAcceptsAResponse() throws IOException, InterruptedException {
    try (PlayedFleet fleet = fleet()) {
      byte[] page = get(fleet, "/node/1/metrics").body().getBytes(StandardCharsets.UTF_8);
      Process promtool = Promtool.orSkip("check", "metrics");
      try (var in = promtool.getOutputStream()) {
        in.write(page);
      }
      String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(promtool.waitFor(3, TimeUnit.MINUTES)).isTrue();
      // DCGM chooses its names; 3 is "understood, and advice on names".
      assertThat(promtool.exitValue()).as(said).isIn(0, 3);
      assertThat(said.lines()).allMatch(line -> line.startsWith("DCGM_"));
    }
  }

  private static PlayedFleet fleet() throws IOException {
    return PlayedFleet.start(FleetPlan.of(2), Map.of(FleetPlan.TRAINING, PlayedPage.TEMPLATE));
  }

  private static HttpResponse<String> get(PlayedFleet fleet, String path)
      throws IOException, InterruptedException {
    URI address = URI.create("http://" + fleet.address() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }
}
