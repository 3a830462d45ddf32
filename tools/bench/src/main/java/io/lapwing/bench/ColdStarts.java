package io.lapwing.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lapwing.bench.Result.ColdStart;
import io.lapwing.bench.Result.Pair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts both programs in turn and waits for the first complete scrape response of each. */
final class ColdStarts {

  private static final long GIVE_UP_NANOS = 60_000_000_000L;

  private ColdStarts() {}

  static Pair<List<ColdStart>> measure(Server.Program agent, Server.Program peer, int starts)
      throws IOException, InterruptedException {
    Pair<List<ColdStart>> result = new Pair<>(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < starts; i++) {
      result.agent().add(once(agent));
      result.peer().add(once(peer));
    }
    return result;
  }

  private static ColdStart once(Server.Program program) throws IOException, InterruptedException {
    try (Server server = program.start()) {
      byte[] page = firstCompletePage(server);
      return new ColdStart(
          (System.nanoTime() - server.startedNanos()) / 1e6, PageSize.series(page));
    }
  }

  /**
   * Polls every millisecond; a refused connection or a response without the marker means not ready.
   */
  static byte[] firstCompletePage(Server server) throws IOException, InterruptedException {
    while (true) {
      try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
        client.scrapeNanos();
        byte[] page = client.body();
        if (new String(page, UTF_8).contains("\n" + server.program().marker())) {
          return page;
        }
      } catch (IOException notYet) {
        server.mustBeAlive();
      }
      if (System.nanoTime() - server.startedNanos() > GIVE_UP_NANOS) {
        throw new IOException(server.program().name() + " showed no complete page within 60 s");
      }
      Thread.sleep(1);
    }
  }
}
