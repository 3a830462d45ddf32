package io.lapwing.bench;

import java.io.IOException;

/** One server scraped as fast as possible over one connection. */
record Round(int scrapes, double cpuMicrosPerScrape, double p50Micros, double p99Micros) {

  static Round measure(Server server, ScrapeClient client, int scrapes) throws IOException {
    ProcessAccount account = server.account();
    long[] nanos = new long[scrapes];
    long before = account.cpuNanos();
    for (int i = 0; i < scrapes; i++) {
      nanos[i] = client.scrapeNanos();
    }
    double cpu = account.cpuNanos() - before;
    return new Round(
        scrapes,
        cpu / scrapes / 1e3,
        Medians.percentile(nanos, 0.50) / 1e3,
        Medians.percentile(nanos, 0.99) / 1e3);
  }
}
