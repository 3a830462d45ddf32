package io.lapwing.bench;

import io.lapwing.bench.Result.Pair;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The cost of reading 32 EFA devices, compared with a peer that reads as many files.
 *
 * <p>Three processes run in the same windows: the agent with only the EFA collectors at the
 * shortest cadence, the same agent without them, and the peer, scraped at that cadence. So one
 * refresh of the agent is compared with one scrape of the peer.
 */
final class EfaSideBySide {

  /** The shortest cadence that the agent accepts. */
  static final Duration CADENCE = Duration.ofMillis(200);

  /** 22 of the port and 14 of the device, with a driver that has all. */
  static final int COUNTERS = 36;

  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private final Server.Program agent;
  private final Server.Program idle;
  private final Server.Program peer;
  private final Duration window;

  EfaSideBySide(Server.Program agent, Server.Program idle, Server.Program peer, Duration window) {
    this.agent = agent;
    this.idle = idle;
    this.peer = peer;
    this.window = window;
  }

  /** Rounds without and with scrapes of the agent. */
  Pair<List<EfaRound>> run(int rounds) throws IOException, InterruptedException {
    try (Server ours = agent.start();
        Server without = idle.start();
        Server theirs = peer.start()) {
      for (Server server : List.of(ours, without, theirs)) {
        ColdStarts.firstCompletePage(server);
      }
      SideBySide.say("warming up");
      measure(ours, without, theirs, WARM_UP.dividedBy(2), false);
      measure(ours, without, theirs, WARM_UP.dividedBy(2), true);
      List<EfaRound> unasked = new ArrayList<>();
      List<EfaRound> asked = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        SideBySide.say("round " + round + " of " + rounds);
        unasked.add(measure(ours, without, theirs, window, false));
        asked.add(measure(ours, without, theirs, window, true));
      }
      return new Pair<>(unasked, asked);
    }
  }

  private static EfaRound measure(
      Server ours, Server without, Server theirs, Duration window, boolean asked)
      throws IOException, InterruptedException {
    int scrapes = (int) window.dividedBy(CADENCE);
    try (ScrapeClient toOurs = ours.connect(Encoding.GZIP);
        ScrapeClient toIdle = without.connect(Encoding.GZIP);
        ScrapeClient toTheirs = theirs.connect(Encoding.GZIP)) {
      Spent before = Spent.by(ours, without, theirs);
      long started = System.nanoTime();
      for (int i = 1; i <= scrapes; i++) {
        sleepUntil(started + i * CADENCE.toNanos());
        toTheirs.scrapeNanos();
        if (asked) {
          toOurs.scrapeNanos();
          toIdle.scrapeNanos();
        }
      }
      return Spent.by(ours, without, theirs).since(before, scrapes);
    }
  }

  /** CPU time of the three processes at one time. */
  private record Spent(long ours, long without, long theirs, long reads, long readsWithout) {

    static Spent by(Server ours, Server without, Server theirs) throws IOException {
      return new Spent(
          ours.account().cpuNanos(),
          without.account().cpuNanos(),
          theirs.account().cpuNanos(),
          ours.account().reads(),
          without.account().reads());
    }

    EfaRound since(Spent before, int scrapes) {
      double files = reads - before.reads - (readsWithout - before.readsWithout);
      double refreshes = files / (PeerTree.DEVICES * COUNTERS);
      return new EfaRound(
          refreshes,
          scrapes,
          (ours - before.ours) / refreshes / 1e3,
          (without - before.without) / refreshes / 1e3,
          (theirs - before.theirs) / 1e3 / scrapes);
    }
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    Thread.sleep(Math.max(0, (nanos - System.nanoTime()) / 1_000_000));
  }
}
