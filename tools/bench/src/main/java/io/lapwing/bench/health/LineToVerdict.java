package io.lapwing.bench.health;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.ScratchFolder;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Time from a driver message in the kernel log to the changed GPU verdict in a scrape, polled every
 * 10 ms. A GPU changes once, so several agents run in turn.
 */
final class LineToVerdict {

  private static final int AGENTS = 3;
  private static final int GPUS = 8;
  private static final long GIVE_UP_NANOS = 30_000_000_000L;

  /** One for each GPU; each changes the verdict. */
  private static final List<String> FAULTS =
      List.of(
          "79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
          "48, pid='<unknown>', name=<unknown>, An uncorrectable double bit error (DBE)",
          "95, pid=7194, name=python3, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
          "119, pid=7194, name=python3, Timeout after 6s of waiting for RPC response from GPU3 GSP!",
          "64, pid=7194, name=python3, Row Remapper Error: (0x0000000018f31d80)",
          "62, pid='<unknown>', name=<unknown>, 32a5 0000b2c4 00000000 2028a9c6",
          "120, pid='<unknown>', name=<unknown>, GSP task exception: load access fault @ pc:0x4bbd51a",
          "140, An uncorrectable ECC error detected (possible firmware handling failure) DRAM:1");

  private LineToVerdict() {}

  static void run(List<String> agent) throws IOException, InterruptedException {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < AGENTS; i++) {
      ScratchFolder folder = ScratchFolder.create("lapwing-line-to-verdict");
      nanos.addAll(oneAgent(AgentSetup.of(agent, folder.path()), i));
      folder.delete();
    }
    Collections.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "from a kernel line to the verdict in a scrape, %d lines: p50 %.0f ms, max %.0f ms"
            + " (budget 2,000 ms)%n",
        nanos.size(),
        nanos.get(nanos.size() / 2) / 1e6,
        nanos.get(nanos.size() - 1) / 1e6);
  }

  private static List<Long> oneAgent(AgentSetup setup, int turn)
      throws IOException, InterruptedException {
    List<Long> nanos = new ArrayList<>();
    try (Kmsg kmsg = setup.kmsg();
        Server server = setup.start()) {
      HealthMetrics.awaitVerdict(server);
      try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
        List<HealthMetrics.Gpu> gpus = HealthMetrics.of(client).gpus();
        for (int gpu = 0; gpu < Math.min(GPUS, gpus.size()); gpu++) {
          // Not in step with the agent's cadence, and another fault for each GPU.
          Thread.sleep(700 + 137L * gpu);
          String fault = FAULTS.get((gpu + turn) % FAULTS.size());
          kmsg.append(List.of("NVRM: Xid (PCI:" + gpus.get(gpu).pci() + "): " + fault));
          nanos.add(awaitChange(client, gpus.get(gpu)));
        }
      }
    }
    return nanos;
  }

  private static long awaitChange(ScrapeClient client, HealthMetrics.Gpu gpu)
      throws IOException, InterruptedException {
    String gone =
        "lapwing_gpu_verdict{gpu=\"%s\",UUID=\"%s\",verdict=\"healthy\"} 0"
            .formatted(gpu.index(), gpu.uuid());
    long start = System.nanoTime();
    while (!HealthMetrics.of(client).is(gone)) {
      if (System.nanoTime() - start > GIVE_UP_NANOS) {
        throw new IOException("no other verdict on GPU " + gpu.index() + " within 30 s");
      }
      Thread.sleep(10);
    }
    return System.nanoTime() - start;
  }
}
