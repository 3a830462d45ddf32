package io.lapwing.bench.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lapwing.bench.ProcessAccount;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.util.Locale;

/**
 * Resource use of the agent at one time.
 *
 * @param seconds since the start of the soak
 * @param heapKib used, live or not
 * @param fullCollections full garbage collections
 */
record Vitals(
    double seconds,
    long rssKib,
    long anonymousKib,
    int threads,
    int descriptors,
    long heapKib,
    long nonHeapKib,
    long classes,
    double collections,
    double fullCollections,
    double collectionSeconds,
    double cpuSeconds) {

  static Vitals of(Server server, ScrapeClient client, double seconds) throws IOException {
    client.scrapeAfterIdling();
    String page = new String(client.body(), UTF_8);
    ProcessAccount account = server.account();
    ProcessAccount.Memory memory = account.memory();
    return new Vitals(
        seconds,
        memory.rssKib(),
        memory.anonymousKib(),
        account.threads(),
        account.descriptors(),
        kib(sum(page, "jvm_memory_used_bytes{area=\"heap\"")),
        kib(sum(page, "jvm_memory_used_bytes{area=\"nonheap\"")),
        (long) sum(page, "jvm_classes_loaded_classes"),
        sum(page, "jvm_gc_pause_seconds_count"),
        sum(page, "jvm_gc_pause_seconds_count{gc=\"MarkSweepCompact\""),
        sum(page, "jvm_gc_pause_seconds_sum"),
        account.cpuNanos() / 1e9);
  }

  /** One line, for whoever waits. */
  String text() {
    return String.format(
        Locale.ROOT,
        "after %.0f s: RSS %.1f MiB (anonymous %.1f), heap %.1f MiB, %d threads, %d descriptors,"
            + " CPU %.1f s",
        seconds,
        rssKib / 1024.0,
        anonymousKib / 1024.0,
        heapKib / 1024.0,
        threads,
        descriptors,
        cpuSeconds);
  }

  private static long kib(double bytes) {
    return (long) (bytes / 1024);
  }

  /** The sum of lines with a prefix. */
  static double sum(String page, String beginning) {
    return page.lines()
        .filter(line -> line.startsWith(beginning))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
