package io.lapwing.simulator;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The client's counters of system calls on the mount: {@code llite}. */
final class LustreClient {
  private static final double BYTES_OF_CALL = 1 << 20;
  private static final double MICROS_OF_READ = 460;
  private static final double MICROS_OF_WRITE = 190;

  private final LustreMount mount;
  private final LustreVersion version;
  private final LustreFiles files;
  private final boolean timed;
  private final StatsLine readBytes;
  private final StatsLine writeBytes;
  private final List<Call> calls = new ArrayList<>();
  private final List<StatsLine> ahead = new ArrayList<>();
  private StatsHeader header;
  private double cachedMib;

  /**
   * A counted system call.
   *
   * @param perSecond calls per metadata request
   * @param micros duration
   */
  private record Call(StatsLine line, double perSecond, double micros) {}

  LustreClient(LustreMount mount, LustreFiles files) {
    this.mount = mount;
    this.version = mount.version();
    this.files = files;
    this.timed = version.since(LustreVersion.V2_15);
    this.header = new StatsHeader(version, mount.at());
    this.readBytes = bytes("read_bytes");
    this.writeBytes = bytes("write_bytes");
    addCalls();
    addReadAhead();
  }

  private StatsLine bytes(String name) {
    return timed ? StatsLine.squared(name, "bytes") : StatsLine.summed(name, "bytes");
  }

  private void addCalls() {
    if (timed) {
      call("read", 0, MICROS_OF_READ);
      call("write", 0, MICROS_OF_WRITE);
    }
    call("ioctl", 0.001, 40);
    call("open", 0.26, 330);
    call("close", 0.26, 170);
    call("seek", 0.05, 3);
    call("readdir", 0.01, 640);
    call("truncate", 0.02, 900);
    call("getattr", 0.6, 190);
    call("getxattr", 0.1, 120);
    calls.add(new Call(StatsLine.counted("getxattr_hits", version.requests()), 0.08, 0));
    call("inode_permission", 1.8, 4);
  }

  private void call(String name, double perSecond, double micros) {
    StatsLine line =
        timed
            ? StatsLine.squared(name, version.microseconds())
            : StatsLine.counted(name, version.requests());
    calls.add(new Call(line, perSecond, micros));
  }

  private void addReadAhead() {
    List<String> names =
        timed
            ? List.of("hits", "misses", "readpage_not_consecutive", "miss_inside_window")
            : List.of("hits", "misses", "readpage not consecutive", "miss inside window");
    names.forEach(name -> ahead.add(StatsLine.counted(name, "pages")));
  }

  void clear(Instant now) {
    readBytes.clear();
    writeBytes.clear();
    calls.forEach(call -> call.line.clear());
    ahead.forEach(StatsLine::clear);
    header = new StatsHeader(version, now);
  }

  /**
   * Advances the time.
   *
   * @param slower factor by which programs wait longer for data
   */
  void pass(double seconds, double reads, double writes, double metadata, double slower) {
    double readCalls = reads * seconds * LustreTarget.BYTES_OF_RPC / BYTES_OF_CALL;
    double writeCalls = writes * seconds * LustreTarget.BYTES_OF_RPC / BYTES_OF_CALL;
    readBytes.addEqual(readCalls, BYTES_OF_CALL);
    writeBytes.addEqual(writeCalls, BYTES_OF_CALL);
    if (timed) {
      calls.get(0).line.add(readCalls, MICROS_OF_READ * slower);
      calls.get(1).line.add(writeCalls, MICROS_OF_WRITE * slower);
    }
    for (Call call : calls) {
      double times = metadata * call.perSecond * seconds;
      if (timed) {
        call.line.add(times, call.micros);
      } else {
        call.line.add(times);
      }
    }
    double pages = readCalls * 256;
    ahead.get(0).add(pages * 0.97);
    ahead.get(1).add(pages * 0.03);
    ahead.get(2).add(pages * 0.002);
    ahead.get(3).add(pages * 0.0005);
    cachedMib += readCalls;
  }

  /** Files that are constant while mounted. */
  void writeSettings() throws IOException {
    String at = version.settings() + "llite/" + mount.name() + "/";
    files.constant(at + "blocksize", 4096);
    files.constant(at + "kbytestotal", 5_033_164_800L);
    files.constant(at + "kbytesfree", 3_204_448_256L);
    files.constant(at + "kbytesavail", 3_200_253_952L);
    files.constant(at + "filestotal", 62_914_560L);
    files.constant(at + "filesfree", 61_341_001L);
    files.constant(at + "fstype", "lustre");
    files.constant(at + "uuid", "27cf1a5a-4d6c-4b6d-8f6e-0f6d2f3c1b2a");
    files.constant(at + "statahead_max", 32);
    files.constant(at + "xattr_cache", 1);
  }

  /** Files that change. */
  void write(Instant now) throws IOException {
    String at = version.counts() + "llite/" + mount.name() + "/";
    StringBuilder stats = new StringBuilder(1024).append(header.stats(now));
    readBytes.appendTo(stats);
    writeBytes.appendTo(stats);
    calls.forEach(call -> call.line.appendTo(stats));
    files.write(at + "stats", stats.toString());
    StringBuilder readAhead = new StringBuilder(512).append(header.stats(now));
    ahead.forEach(line -> line.appendTo(readAhead));
    files.write(at + "read_ahead_stats", readAhead.toString());
    files.write(at + "max_cached_mb", cached());
    files.write(at + "statahead_stats", stataheads());
    files.write(
        at + "unstable_stats",
        "unstable_check:            0\nunstable_pages:            0\nunstable_mb:               0\n");
    files.write(
        at + "extents_stats",
        "disabled\n write anything to this file to activate, then '0' or 'disable' to deactivate\n");
  }

  /** Fills up and stays full. */
  private String cached() {
    long most = 64_234;
    long used = (long) Math.min(most * 0.9, cachedMib);
    return "users: 5\nmax_cached_mb: "
        + most
        + "\nused_mb: "
        + used
        + "\nunused_mb: "
        + (most - used)
        + "\n"
        + (version.since(LustreVersion.V2_17) ? "unevict_mb: 0\n" : "")
        + "reclaim_count: 0\n"
        + (timed ? "max_read_ahead_mb: 256\nused_read_ahead_mb: 0\n" : "");
  }

  private String stataheads() {
    return "statahead total: 12\nstatahead wrong: 1\nagl total: 12\n"
        + (version.since(LustreVersion.V2_17)
            ? "list_total: 10\nfname_total: 2\nhit_total: 900\nmiss_total: 12\n"
            : "");
  }
}
