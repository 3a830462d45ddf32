package io.lapwing.bench;

import io.lapwing.bench.Result.Pair;
import io.lapwing.bench.Result.Unattended;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The measurement: both servers run at the same time and take turns, so that other load on the
 * machine affects both.
 */
final class SideBySide {

  private final Server.Program agent;
  private final Server.Program peer;
  private final Effort effort;

  SideBySide(Server.Program agent, Server.Program peer, Effort effort) {
    this.agent = agent;
    this.peer = peer;
    this.effort = effort;
  }

  Result run() throws IOException, InterruptedException {
    say("cold starts, " + effort.starts() + " of each");
    Pair<List<Result.ColdStart>> starts = ColdStarts.measure(agent, peer, effort.starts());
    try (Server ours = agent.start();
        Server theirs = peer.start()) {
      ColdStarts.firstCompletePage(ours);
      ColdStarts.firstCompletePage(theirs);
      return new Scraping(ours, theirs).run(starts);
    }
  }

  static void say(String progress) {
    System.err.println("bench: " + progress);
  }

  /** All measurements of one pair of running servers. */
  private final class Scraping {

    private final Server ours;
    private final Server theirs;
    private int servedByOurs;
    private int servedByTheirs;

    Scraping(Server ours, Server theirs) {
      this.ours = ours;
      this.theirs = theirs;
    }

    Result run(Pair<List<Result.ColdStart>> starts) throws IOException, InterruptedException {
      Pair<Round> young = young();
      say("warming up");
      alternate(Encoding.PLAIN, 1);
      alternate(Encoding.GZIP, 1);
      Map<Encoding, Pair<List<Round>>> rounds = new EnumMap<>(Encoding.class);
      for (Encoding encoding : Encoding.values()) {
        say(encoding.label() + ": " + effort.rounds() + " rounds");
        rounds.put(encoding, alternate(encoding, effort.rounds()));
      }
      say("scraping on until each has served " + effort.scrapesBeforeMemory());
      servedByOurs += topUp(ours, effort.scrapesBeforeMemory() - servedByOurs);
      servedByTheirs += topUp(theirs, effort.scrapesBeforeMemory() - servedByTheirs);
      Pair<ProcessAccount.Memory> memory =
          new Pair<>(ours.account().memory(), theirs.account().memory());
      Pair<Integer> served = new Pair<>(servedByOurs, servedByTheirs);
      // Sizes last, when both serve all series.
      Pair<Unattended> unattended = unattended();
      Pair<PageSize> pages = new Pair<>(PageSize.of(ours), PageSize.of(theirs));
      return new Result(pages, young, rounds, memory, served, unattended, starts);
    }

    /** Apart, so that the compiler has the time that it has at the usual interval. */
    private Pair<Round> young() throws IOException, InterruptedException {
      say("a new process: " + Effort.FIRST_SCRAPES + " scrapes, then " + Effort.YOUNG_SCRAPES);
      try (ScrapeClient toOurs = ours.connect(Encoding.GZIP);
          ScrapeClient toTheirs = theirs.connect(Encoding.GZIP)) {
        for (int i = 0; i < Effort.FIRST_SCRAPES; i++) {
          Thread.sleep(Effort.FIRST_INTERVAL.toMillis());
          toOurs.scrapeNanos();
          toTheirs.scrapeNanos();
        }
        int each = Effort.FIRST_SCRAPES + Effort.YOUNG_SCRAPES;
        servedByOurs += each;
        servedByTheirs += each;
        return new Pair<>(
            Round.measure(ours, toOurs, Effort.YOUNG_SCRAPES),
            Round.measure(theirs, toTheirs, Effort.YOUNG_SCRAPES));
      }
    }

    private Pair<List<Round>> alternate(Encoding encoding, int times) throws IOException {
      Pair<List<Round>> result = new Pair<>(new ArrayList<>(), new ArrayList<>());
      try (ScrapeClient toOurs = ours.connect(encoding);
          ScrapeClient toTheirs = theirs.connect(encoding)) {
        for (int i = 0; i < times; i++) {
          result.agent().add(Round.measure(ours, toOurs, effort.agentScrapes()));
          result.peer().add(Round.measure(theirs, toTheirs, effort.peerScrapes()));
        }
      }
      servedByOurs += times * effort.agentScrapes();
      servedByTheirs += times * effort.peerScrapes();
      return result;
    }

    private int topUp(Server server, int scrapes) throws IOException {
      try (ScrapeClient client = server.connect(Encoding.GZIP)) {
        for (int i = 0; i < scrapes; i++) {
          client.scrapeNanos();
        }
      }
      return Math.max(0, scrapes);
    }

    /** Scrapes both in the same window at the same times, with gzip as Prometheus does. */
    private Pair<Unattended> unattended() throws IOException, InterruptedException {
      Duration window = effort.unattended();
      int scrapes = (int) window.dividedBy(Effort.SCRAPE_INTERVAL);
      say("left alone for " + window.toSeconds() + " s, with a scrape every 15 s");
      try (ScrapeClient toOurs = ours.connect(Encoding.GZIP);
          ScrapeClient toTheirs = theirs.connect(Encoding.GZIP)) {
        long started = System.nanoTime();
        long oursBefore = ours.account().cpuNanos();
        long theirsBefore = theirs.account().cpuNanos();
        for (int i = 1; i <= scrapes; i++) {
          sleepUntil(started + i * Effort.SCRAPE_INTERVAL.toNanos());
          toOurs.scrapeAfterIdling();
          toTheirs.scrapeAfterIdling();
        }
        double oursCpu = (ours.account().cpuNanos() - oursBefore) / 1e9;
        double theirsCpu = (theirs.account().cpuNanos() - theirsBefore) / 1e9;
        double seconds = (System.nanoTime() - started) / 1e9;
        return new Pair<>(
            new Unattended(seconds, scrapes, oursCpu, toOurs.reconnects()),
            new Unattended(seconds, scrapes, theirsCpu, toTheirs.reconnects()));
      }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
      Thread.sleep(Math.max(0, (nanos - System.nanoTime()) / 1_000_000));
    }
  }
}
