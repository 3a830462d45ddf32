package io.lapwing.bench.soak;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One soak: the agent's process, its clients, and periodic samples. */
final class Soak {

  private static final Duration SAMPLED = Duration.ofSeconds(5);
  private static final int SAMPLES_OF_A_CHECK = 12;

  private final SoakOptions options;
  private final List<Vitals> samples = new ArrayList<>();

  Soak(SoakOptions options) {
    this.options = options;
  }

  SoakReport run(Path logs) throws IOException, InterruptedException {
    Path log = logs.resolve("agent.log");
    try (Server server =
        new Server.Program("Lapwing", options.agent(), "lapwing_node_verdict", log).start()) {
      awaitPage(server);
      Crowd crowd = Crowd.of(server);
      crowd.begin();
      sample(server, new Operator(options, server, logs.resolve("operator.log").toFile()));
      crowd.end();
      return new SoakReport(options, List.copyOf(samples), crowd.visitors());
    }
  }

  private static void awaitPage(Server server) throws IOException, InterruptedException {
    for (int attempt = 0; attempt < 600; attempt++) {
      try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
        client.scrapeNanos();
        return;
      } catch (IOException notYet) {
        server.mustBeAlive();
        Thread.sleep(100);
      }
    }
    throw new IOException("the agent did not serve a page within 60 s");
  }

  private void sample(Server server, Operator operator) throws IOException, InterruptedException {
    long start = System.nanoTime();
    long every = SAMPLED.toNanos();
    long count = options.whole().toNanos() / every;
    long ofAPass = options.pass().toNanos() / every;
    try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
      for (long i = 0; i < count; i++) {
        long left = start + i * every - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
        server.mustBeAlive();
        samples.add(Vitals.of(server, client, i * SAMPLED.toMillis() / 1e3));
        if (i % SAMPLES_OF_A_CHECK == 1) {
          operator.check();
        }
        if (i % Math.max(1, ofAPass) == 2) {
          operator.clear();
          System.err.println("soak: " + samples.get(samples.size() - 1).text());
        }
      }
    }
  }
}
