package io.lapwing.agent.support;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.support.BundlePart.MissingPart;
import io.lapwing.linux.KernelLog;
import io.lapwing.linux.KernelLogState;
import io.lapwing.linux.KernelRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The newest kernel messages on GPUs, network, file systems and the hardware of the host. */
final class KernelLines implements KernelLog.Listener {

  private static final List<String> WORDS =
      List.of(
          "nvidia",
          "efa",
          "ena ",
          "Lustre",
          "LNet",
          "pcieport",
          "AER:",
          "EDAC",
          "mce:",
          "Hardware Error",
          "blocked for more than",
          "Out of memory",
          "oom-kill",
          "I/O error",
          "Kernel panic",
          "BUG:");
  private static final int MAX_LINES = 5_000;
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofMillis(500);

  private final Deque<String> lines = new ArrayDeque<>();
  private Optional<String> unavailable = Optional.empty();
  private long changes;

  /** Follows the log until it is quiet, for five seconds at most. */
  static String read(Settings.Paths paths, Optional<Instant> boot)
      throws MissingPart, InterruptedException {
    KernelLines found = new KernelLines();
    KernelLog.Settings log =
        KernelLog.Settings.nvidia(
                paths.kmsg(), paths.rootfs(), OptionalLong.empty(), Optional.empty())
            .also(WORDS);
    try (KernelLog following = new KernelLog(log, InstantSource.system(), () -> boot, found)) {
      following.start();
      found.awaitQuiet();
    }
    return found.text();
  }

  private synchronized void awaitQuiet() throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    long seen = -1;
    while (seen != changes && System.nanoTime() < end) {
      seen = changes;
      wait(QUIET.toMillis());
    }
  }

  synchronized String text() throws MissingPart {
    if (lines.isEmpty() && unavailable.isPresent()) {
      throw new MissingPart(unavailable.get());
    }
    return lines.isEmpty() ? "no message of interest\n" : String.join("\n", lines) + "\n";
  }

  @Override
  public synchronized void records(List<KernelRecord> batch) {
    changes++;
    for (KernelRecord record : batch) {
      lines.add(record.at().map(Instant::toString).orElse("-") + " " + record.text());
      if (lines.size() > MAX_LINES) {
        lines.remove();
      }
    }
  }

  @Override
  public synchronized void lost(long messages) {
    lines.add("- " + messages + " messages were overwritten before they were read");
  }

  @Override
  public synchronized void state(KernelLogState state) {
    changes++;
    unavailable =
        state instanceof KernelLogState.Unavailable none
            ? Optional.of(none.why())
            : Optional.empty();
  }
}
