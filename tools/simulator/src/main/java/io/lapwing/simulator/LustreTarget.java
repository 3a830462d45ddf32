package io.lapwing.simulator;

import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One OST or MDT as a client sees it: its import, its counters and their files. */
final class LustreTarget {
  static final double BYTES_OF_RPC = 4 << 20;

  private static final int MOST_IN_FLIGHT = 8;

  /** Requests in flight of a target that hardly answers. */
  private static final double HELD = 0.02;

  private static final long GRANT = 268_435_456;
  private static final long FIRST_TRANSACTION = 4_294_967_296L;

  private final boolean ost;
  private final LustreVersion version;
  private final LustreFiles files;
  private final String device;
  private final String folder;
  private final String server;
  private final ImportText importText;
  private final ImportHistory history;
  private final double share;
  private final Map<LustreRpc, StatsLine> opcodes = new EnumMap<>(LustreRpc.class);
  private final StatsLine waits;
  private final StatsLine active = StatsLine.squared("req_active", "reqs");
  private final StatsLine readBytes = StatsLine.squared("read_bytes", "bytes");
  private final StatsLine writeBytes = StatsLine.squared("write_bytes", "bytes");
  private final RpcStats rpcs = new RpcStats();
  private LustreSettings.Target settings;
  private StatsHeader header;
  private double load;
  private double rpcsSent;

  /**
   * A target of a mount.
   *
   * @param name {@code OST0000}
   * @param share share of the load of all targets of its kind
   */
  LustreTarget(
      LustreMount mount,
      String name,
      LustreSettings.Target settings,
      double share,
      List<String> nids,
      LustreFiles files) {
    this.ost = name.startsWith("OST");
    this.version = mount.version();
    this.files = files;
    this.share = share;
    this.device = mount.device(name, ost ? "osc" : "mdc");
    this.folder = (ost ? "osc/" : "mdc/") + device + "/";
    this.server = nids.get(0);
    this.importText = new ImportText(version, device, mount.fileSystem() + "-" + name, nids);
    this.history = new ImportHistory(mount.at());
    this.header = new StatsHeader(version, mount.at());
    this.waits = StatsLine.squared("req_waittime", version.microseconds());
    this.settings = settings;
    LustreRpc.of(ost)
        .forEach(rpc -> opcodes.put(rpc, StatsLine.squared(rpc.opcode(), version.microseconds())));
    history.enter(settings.states(), mount.at());
  }

  String device() {
    return device;
  }

  boolean isOst() {
    return ost;
  }

  String server() {
    return server;
  }

  /** Applies changed state lines. */
  void change(LustreSettings.Target next, double nextLoad, Instant now) {
    load = nextLoad;
    if (!next.states().equals(settings.states())) {
      history.enter(next.states(), now);
    }
    if (next.clears() != settings.clears()) {
      clear(now);
    }
    settings = next;
  }

  private void clear(Instant now) {
    opcodes.values().forEach(StatsLine::clear);
    List.of(waits, active, readBytes, writeBytes).forEach(StatsLine::clear);
    rpcs.clear();
    header = new StatsHeader(version, now);
  }

  /** Share of requested work that is done; slow answers limit it. */
  private double done() {
    if (!history.full()) {
      return 0;
    }
    double wanted = LustreRpc.inFlight(ost, load * share, settings.slower());
    return settings.held() ? HELD : Math.min(1, MOST_IN_FLIGHT / Math.max(wanted, 1e-9));
  }

  private double inFlight() {
    if (settings.held()) {
      return MOST_IN_FLIGHT;
    }
    return history.full()
        ? Math.min(MOST_IN_FLIGHT, LustreRpc.inFlight(ost, load * share, settings.slower()))
        : 0;
  }

  /** Advances the time. */
  void pass(double seconds) {
    double done = done();
    double inFlight = Math.max(1, inFlight());
    for (Map.Entry<LustreRpc, StatsLine> opcode : opcodes.entrySet()) {
      LustreRpc rpc = opcode.getKey();
      double times = rpc.perSecond(load * share) * done * seconds;
      double micros = rpc.micros() * settings.slower();
      opcode.getValue().add(times, micros);
      waits.add(times, micros);
      active.add(times, inFlight);
      rpcsSent += times;
    }
    double reads = times(LustreRpc.OST_READ, done * seconds);
    double writes = times(LustreRpc.OST_WRITE, done * seconds);
    readBytes.addEqual(reads, BYTES_OF_RPC);
    writeBytes.addEqual(writes, BYTES_OF_RPC);
    rpcs.add(reads, writes, inFlight, MOST_IN_FLIGHT);
    rpcs.addModify(
        times(LustreRpc.MDS_REINT_SETATTR, done * seconds)
            + times(LustreRpc.MDS_CLOSE, done * seconds),
        inFlight,
        MOST_IN_FLIGHT);
  }

  private double times(LustreRpc rpc, double seconds) {
    return opcodes.containsKey(rpc) ? rpc.perSecond(load * share) * seconds : 0;
  }

  /** Answered requests per second. */
  double perSecond(LustreRpc rpc) {
    return times(rpc, done());
  }

  /** Factor by which an answer takes longer. */
  double slower() {
    return settings.slower();
  }

  double rpcsSent() {
    return rpcsSent;
  }

  /** Files that are constant while mounted. */
  void writeSettings() throws IOException {
    String at = version.settings() + folder;
    files.constant(at + "active", 1);
    files.constant(at + "max_rpcs_in_flight", MOST_IN_FLIGHT);
    files.constant(at + "kbytestotal", ost ? 1_258_291_200L : 68_157_440L);
    files.constant(at + "kbytesfree", ost ? 801_112_064L : 61_865_984L);
    files.constant(at + "kbytesavail", ost ? 800_063_488L : 61_341_696L);
    files.constant(at + "filestotal", 62_914_560L);
    files.constant(at + "filesfree", 61_341_001L);
    String connected =
        version.since(LustreVersion.V2_15) ? "conn_uuid" : ost ? "ost_conn_uuid" : "mds_conn_uuid";
    files.constant(at + connected, server);
    if (version.since(LustreVersion.V2_12)) {
      files.constant(at + "idle_timeout", 20);
    }
    if (ost) {
      files.constant(at + "max_dirty_mb", 32);
      files.constant(at + "resend_count", 10);
      files.constant(at + "destroys_in_flight", 0);
      files.constant(at + "cur_lost_grant_bytes", 0);
    } else {
      files.constant(at + "max_mod_rpcs_in_flight", 7);
    }
    writeLocks();
  }

  private void writeLocks() throws IOException {
    String at = version.globals() + "ldlm/namespaces/" + device + "/";
    files.constant(at + "lock_count", ost ? 42 : 3110);
    files.constant(at + "lock_unused_count", ost ? 12 : 2904);
    files.constant(at + "resource_count", ost ? 42 : 3102);
    files.constant(at + "lru_size", ost ? 12 : 2904);
    files.constant(at + "lock_timeouts", 0);
    files.constant(at + "pool/granted", ost ? 42 : 3110);
    files.constant(at + "pool/limit", 3_104_000);
    files.constant(at + "pool/server_lock_volume", 1_200_000);
  }

  /** Files that change. */
  void write(Instant now) throws IOException {
    String imports = version.imports() + folder;
    int onTheWay = onTheWay(now);
    files.write(imports + "import", importText.text(importNow(onTheWay)));
    files.write(imports + "state", history.text());
    files.write(imports + "timeouts", timeouts(now));
    files.write(imports + "rpc_stats", rpcStats(now, onTheWay));
    if (ost || version.since(LustreVersion.V2_15)) {
      files.write(imports + (ost ? "osc_stats" : "mdc_stats"), locklessStats(now));
    }
    files.write(version.counts() + folder + "stats", stats(now));
    if (ost) {
      writeGrant(imports, version.settings() + folder, onTheWay);
    }
  }

  private void writeGrant(String imports, String limits, int onTheWay) throws IOException {
    long dirty = writes(onTheWay) * (long) BYTES_OF_RPC + (load > 0 ? 8_388_608 : 0);
    files.write(imports + "cur_grant_bytes", settings.grant().orElse(GRANT - dirty));
    files.write(limits + "cur_dirty_bytes", dirty);
    files.write(
        imports + "osc_cached_mb",
        "used_mb: 5085\nbusy_cnt: " + onTheWay * 1024 + "\nreclaim: 0\n");
    files.write(
        imports + "unstable_stats",
        "unstable_pages:                    0\nunstable_mb:                       0\n");
    if (version.since(LustreVersion.V2_17)) {
      files.write(imports + "io_latency_stats", ioLatency());
    }
  }

  /** A variation that depends only on the time. */
  private int onTheWay(Instant now) {
    double mean = inFlight();
    double wave =
        settings.held() ? 0 : Math.sin(now.getEpochSecond() / 7.0 + device.hashCode() % 10) * 0.4;
    return (int) Math.min(MOST_IN_FLIGHT, Math.round(mean * (1 + wave)));
  }

  private static int writes(int onTheWay) {
    return onTheWay / 4;
  }

  private ImportText.Now importNow(int onTheWay) {
    StatsLine none = StatsLine.counted("", "");
    return new ImportText.Now(
        history,
        onTheWay,
        settings.timeouts(),
        (long) (waits.sum() / Math.max(1, waits.count())),
        FIRST_TRANSACTION + (long) writeBytes.count(),
        readBytes,
        opcodes.getOrDefault(LustreRpc.OST_READ, none),
        writeBytes,
        opcodes.getOrDefault(LustreRpc.OST_WRITE, none));
  }

  private String stats(Instant now) {
    StringBuilder text = new StringBuilder(1024).append(header.stats(now));
    List.of(waits, active, readBytes, writeBytes).forEach(line -> line.appendTo(text));
    opcodes.values().forEach(line -> line.appendTo(text));
    return text.toString();
  }

  private String rpcStats(Instant now, int onTheWay) {
    StringBuilder text = new StringBuilder(2048).append(header.rpcStats(now));
    if (ost) {
      rpcs.appendTo(text, version, onTheWay - writes(onTheWay), writes(onTheWay));
    } else {
      rpcs.appendOfMdc(text, version, writes(onTheWay));
    }
    return text.toString();
  }

  private String locklessStats(Instant now) {
    return header.rpcStats(now)
        + "lockless_write_bytes\t\t0\nlockless_read_bytes\t\t0\n"
        + (version.since(LustreVersion.V2_15) ? "" : "lockless_truncate\t\t0\n");
  }

  private String timeouts(Instant now) {
    long second = now.getEpochSecond();
    String line = "cur   1  worst   1 (at %d, 60s ago)   1   1   1   1 \n";
    return String.format(Locale.ROOT, "last reply : %d, 0s ago\n", second)
        + String.format(Locale.ROOT, "network    : " + line, second - 60)
        + String.format(Locale.ROOT, "portal 6   : " + line, second - 60);
  }

  private String ioLatency() {
    return String.format(
        Locale.ROOT,
        "rd_4M: { 1024us: %d, 2048us: %d, }\nwr_4M: { 1024us: %d, }\n",
        (long) (readBytes.count() * 0.8),
        (long) (readBytes.count() * 0.2),
        (long) writeBytes.count());
  }
}
