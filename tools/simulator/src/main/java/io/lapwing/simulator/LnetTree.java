package io.lapwing.simulator;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Counters and peers of LNet. */
final class LnetTree {

  /** The network interface of the node. */
  static final String NID = "10.0.2.7@tcp";

  private static final long WRAP = 1L << 32;
  private static final double SENT_OF_RPC = 1.2;
  private static final double RECEIVED_OF_RPC = 1.9;
  private static final double HEADER_BYTES = 520;
  private static final int DROPPED_BYTES = 480;

  private final LustreFiles files;
  private final LustreVersion version;
  private final double began;
  private final List<String> peers;
  private LustreSettings.Net settings;
  private double drops;
  private double errors;
  private double rpcs;
  private double read;
  private double written;

  LnetTree(LustreMount mount, LustreSettings.Net settings, List<String> peers, LustreFiles files) {
    this.files = files;
    this.version = mount.version();
    this.began = Double.parseDouble(Epoch.seconds(mount.at()));
    this.peers = List.copyOf(peers);
    this.settings = settings;
  }

  /** Applies changed state lines; counters keep their values. */
  void change(LustreSettings.Net next, double now) {
    if (!next.drops().equals(settings.drops())) {
      drops += value(settings.drops(), now);
    }
    if (!next.errors().equals(settings.errors())) {
      errors += value(settings.errors(), now);
    }
    settings = next;
  }

  /** Counts further requests to the servers and their bytes. */
  void carry(double moreRpcs, double bytesRead, double bytesWritten) {
    rpcs += moreRpcs;
    read += bytesRead;
    written += bytesWritten;
  }

  void writeSettings() throws IOException {
    files.constant("sys/module/lnet/refcnt", 5);
    files.constant(
        version.lnet() + "routes", "Routing disabled\nnet      hops priority   state router");
    files.constant(
        version.lnet() + "routers",
        "ref  rtr_ref alive_cnt  state    last_ping ping_sent deadline down_ni router");
  }

  void write(double now) throws IOException {
    files.write(version.lnet() + "stats", stats(now));
    files.write(version.lnet() + "nis", interfaces());
    files.write(version.lnet() + "peers", peersText());
  }

  private String stats(double now) {
    long dropped = (long) (drops + value(settings.drops(), now));
    long failed = (long) (errors + value(settings.errors(), now));
    return String.format(
        Locale.ROOT,
        "%d %d %d %d %d 0 %d %d %d 0 %d\n",
        18 + (long) now % 5,
        341,
        failed % WRAP,
        (long) (rpcs * SENT_OF_RPC) % WRAP,
        (long) (rpcs * RECEIVED_OF_RPC) % WRAP,
        dropped % WRAP,
        (long) (written + rpcs * HEADER_BYTES),
        (long) (read + rpcs * HEADER_BYTES),
        dropped * DROPPED_BYTES);
  }

  private static long value(String line, double now, double began) {
    return CounterLine.value(line, now, began).orElse(0L);
  }

  private double value(String line, double now) {
    return value(line, now, began);
  }

  /** One line for each CPU partition. */
  private String interfaces() {
    StringBuilder text =
        new StringBuilder(row("nid", "status", "alive", "refs", "peer", "rtr", "max", "tx", "min"));
    String status = settings.up() ? "up" : "down";
    text.append(row("0@lo", "up", 0, 2, 0, 0, 0, 0, 0));
    text.append(row("0@lo", "up", 0, 0, 0, 0, 0, 0, 0));
    text.append(row(NID, status, -1, 1 + peers.size(), 8, 0, 128, 128, 89));
    text.append(row(NID, status, -1, 1, 8, 0, 128, 128, 112));
    return text.toString();
  }

  private static String row(Object... words) {
    return String.format(Locale.ROOT, "%-24s %6s %5s %4s %4s %4s %5s %5s %5s\n", words);
  }

  private String peersText() {
    StringBuilder text =
        new StringBuilder(
            "nid                      refs state  last   max   rtr   min    tx   min queue\n");
    for (int i = 0; i < peers.size(); i++) {
      boolean waits = i < settings.waiting();
      text.append(
          String.format(
              Locale.ROOT,
              "%-24s %4d %5s %5d %5d %5d %5d %5d %5d %d\n",
              peers.get(i),
              waits ? 14 : 4,
              "NA",
              -1,
              8,
              8,
              8,
              waits ? -5 : 8,
              waits ? -12 : 1,
              waits ? 20_971_520 : 0));
    }
    return text.toString();
  }
}
