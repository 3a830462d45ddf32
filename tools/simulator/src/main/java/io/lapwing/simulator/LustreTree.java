package io.lapwing.simulator;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The Lustre client of a node: one file system and LNet, with the files and paths of its version.
 */
final class LustreTree {
  private static final String FILE_SYSTEM = "scratch";

  /** Id of the first mount after the first boot. */
  private static final int FIRST_ADDRESS = 0x12345000;

  /** At full load all targets of a kind together do the work of this many. */
  private static final double OSTS_AT_FULL_LOAD = 4;

  /** Work varies by a third with this period in seconds. */
  private static final double WAVE_SECONDS = 41;

  private static final double WAVE_HEIGHT = 2;

  private final StateFile state;
  private final LustreFiles files;
  private LustreSettings settings;
  private Optional<Mounted> mounted = Optional.empty();
  private int boots;
  private double last;

  /** Files that exist while mounted. */
  private record Mounted(
      LustreMount mount, Map<String, LustreTarget> targets, LustreClient client, LnetTree net) {}

  LustreTree(Path node, StateFile state, SharedFiles same) {
    this.state = state;
    this.files = new LustreFiles(node, same);
    this.settings = LustreSettings.of(Map.of());
  }

  /** Writes everything as after a boot. */
  void boot(Boot boot, Instant now) throws IOException {
    boots = boot.number();
    settings = LustreSettings.of(state.lines());
    mount(now);
    tick(now);
  }

  /** Applies changed state lines. */
  void changed(Set<String> keys, Instant now) throws IOException {
    if (keys.stream().anyMatch(LustreSettings::isOfLustre)) {
      pass(now);
      change(LustreSettings.of(state.lines()), now);
      write(now);
    }
    if (keys.contains("epoch")) {
      mount(Epoch.moment(state.lines().getOrDefault("epoch", "0")));
    }
    if (keys.contains("time") || keys.contains("epoch")) {
      tick(now);
    }
  }

  private void change(LustreSettings next, Instant now) throws IOException {
    LustreSettings before = settings;
    settings = next;
    if (!next.version().equals(before.version())
        || !next.mount().equals(before.mount())
        || !next.targets().keySet().equals(before.targets().keySet())) {
      mount(now);
      return;
    }
    if (mounted.isPresent()) {
      Mounted here = mounted.get();
      if (next.clears() != before.clears()) {
        here.client.clear(now);
      }
      here.targets.forEach((name, target) -> target.change(next.target(name), next.load(), now));
      here.net.change(next.net(), seconds(now));
    }
  }

  /** Starts everything again at that time. */
  private void mount(Instant at) throws IOException {
    files.clear();
    last = seconds(at);
    mounted = settings.version().map(version -> mounted(version, at));
    if (mounted.isPresent()) {
      Mounted here = mounted.get();
      writeGlobals(here);
      here.client.writeSettings();
      here.net.writeSettings();
      for (LustreTarget target : here.targets.values()) {
        target.writeSettings();
      }
    }
  }

  private Mounted mounted(LustreVersion version, Instant at) {
    String digits =
        settings.mount().orElse(String.format("ffff9d0c%08x", FIRST_ADDRESS + 0x1000 * boots));
    LustreMount mount = new LustreMount(version, FILE_SYSTEM, digits, at);
    Map<String, LustreTarget> targets = new TreeMap<>();
    Set<String> peers = new LinkedHashSet<>();
    double share = OSTS_AT_FULL_LOAD / Math.max(1, settings.targets().size() - 1);
    for (String name : new TreeMap<>(settings.targets()).keySet()) {
      List<String> nids = nids(name);
      peers.addAll(nids);
      LustreTarget target =
          new LustreTarget(
              mount, name, settings.target(name), name.startsWith("OST") ? share : 1, nids, files);
      target.change(settings.target(name), settings.load(), at);
      targets.put(name, target);
    }
    return new Mounted(
        mount,
        targets,
        new LustreClient(mount, files),
        new LnetTree(mount, settings.net(), new ArrayList<>(peers), files));
  }

  /** Two servers with a few targets each that are failover partners. */
  private static List<String> nids(String target) {
    if (target.startsWith("MDT")) {
      return List.of("10.0.1.10@tcp", "10.0.1.11@tcp");
    }
    int pair = Integer.parseInt(target.substring(3), 16) / 2;
    int partner = pair % 2 == 0 ? pair + 1 : pair - 1;
    return List.of(oss(pair), oss(partner));
  }

  private static String oss(int number) {
    return String.format(Locale.ROOT, "10.0.%d.%d@tcp", 3 + number / 200, 15 + number % 200);
  }

  private void writeGlobals(Mounted here) throws IOException {
    LustreVersion version = here.mount.version();
    String at = version.globals();
    files.constant(
        at + "version", (version.since(LustreVersion.V2_12) ? "" : "lustre: ") + version.release());
    files.constant(at + "jobid_var", "disable");
    files.constant(at + "pinger", "on");
    files.constant(at + "memused", 98_304_000);
    files.constant(at + "memused_max", 131_072_000);
    if (version.since(LustreVersion.V2_16)) {
      files.constant(at + "timeout", 100);
    }
    StringBuilder devices = new StringBuilder();
    int index = 3;
    for (LustreTarget target : here.targets.values()) {
      devices.append(
          String.format(
              Locale.ROOT,
              "%3d UP %s %s 27cf1a5a-4d6c-4b6d-8f6e-0f6d2f3c1b2a 5\n",
              index++,
              target.isOst() ? "osc" : "mdc",
              target.device()));
    }
    files.write(version.counts() + "devices", devices.toString());
  }

  /** Writes the current values. */
  void tick(Instant now) throws IOException {
    pass(now);
    write(now);
  }

  private void pass(Instant now) {
    double second = seconds(now);
    double passed = Math.max(0, phase(second) - phase(last));
    last = Math.max(last, second);
    mounted.ifPresent(here -> pass(here, passed));
  }

  private static void pass(Mounted here, double passed) {
    double reads = 0;
    double writes = 0;
    double metadata = 0;
    double slowness = 0;
    double rpcs = 0;
    for (LustreTarget target : here.targets.values()) {
      double sent = target.rpcsSent();
      target.pass(passed);
      rpcs += target.rpcsSent() - sent;
      reads += target.perSecond(LustreRpc.OST_READ);
      writes += target.perSecond(LustreRpc.OST_WRITE);
      metadata += target.perSecond(LustreRpc.MDS_GETATTR) + target.perSecond(LustreRpc.MDS_CLOSE);
      slowness += target.slower() * target.perSecond(LustreRpc.OST_READ);
    }
    here.client.pass(passed, reads, writes, metadata, reads == 0 ? 1 : slowness / reads);
    here.net.carry(
        rpcs,
        reads * passed * LustreTarget.BYTES_OF_RPC,
        writes * passed * LustreTarget.BYTES_OF_RPC);
  }

  private void write(Instant now) throws IOException {
    if (mounted.isPresent()) {
      Mounted here = mounted.get();
      files.write(here.mount.version().globals() + "health_check", settings.health() + "\n");
      here.client.write(now);
      here.net.write(seconds(now));
      for (LustreTarget target : here.targets.values()) {
        target.write(now);
      }
    }
  }

  private static double phase(double second) {
    return second + WAVE_HEIGHT * Math.sin(2 * Math.PI * second / WAVE_SECONDS);
  }

  private static double seconds(Instant now) {
    return Double.parseDouble(Epoch.seconds(now));
  }
}
