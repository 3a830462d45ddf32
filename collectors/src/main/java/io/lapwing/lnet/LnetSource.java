package io.lapwing.lnet;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SysFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * LNet, Lustre's network, as a source. Since 2.12 its files are in debugfs, which only root can
 * enter; a 2.10 client has them in {@code /proc/sys}. {@code module/lnet} of sysfs is always
 * visible.
 */
public final class LnetSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source. */
  public static final String LNET = "lnet";

  private static final String STATS = "stats";
  private static final Access NOT_LOADED = new Access.NothingHere("the kernel has no LNet");

  private final Path debug;
  private final Path module;
  private final List<Path> folders;
  private Path folder;

  /** The LNet of this node, with series for each peer if {@code everyPeer}. */
  public LnetSource(SysFs sys, ProcFs proc, boolean everyPeer) {
    super(LNET, Part.whole(LNET));
    debug = sys.path().resolve("kernel/debug");
    module = sys.path().resolve("module/lnet");
    folders = List.of(debug.resolve(LNET), proc.path().resolve("sys/lnet"));
    folder = folders.get(0);
    add(LNET, Cadence.MEDIUM, new LnetStats(() -> folder)::collect);
    add("lnet_interfaces", Cadence.MEDIUM, new LnetInterfaces(() -> folder)::collect);
    add("lnet_peers", Cadence.MEDIUM, new LnetPeers(() -> folder, everyPeer)::collect);
  }

  @Override
  public Access begin(List<Collector> due) {
    for (Path candidate : folders) {
      if (Files.isReadable(candidate.resolve(STATS))) {
        folder = candidate;
        return Access.READY;
      }
    }
    return Files.exists(module) || folders.stream().anyMatch(Files::exists)
        ? unreadable()
        : NOT_LOADED;
  }

  private Access unreadable() {
    boolean present = folders.stream().anyMatch(Files::exists);
    boolean closed = Files.isDirectory(debug) && !Files.isExecutable(debug);
    return new Access.Down(
        present || closed ? "no_permission" : "not_mounted",
        "LNet is loaded, but "
            + folders.get(0)
            + " cannot be read: debugfs must be mounted, and the agent needs"
            + " CAP_DAC_READ_SEARCH");
  }
}
