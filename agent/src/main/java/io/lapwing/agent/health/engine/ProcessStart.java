package io.lapwing.agent.health.engine;

import io.lapwing.linux.ProcFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * When processes were started, from {@code /proc/PID/stat} and {@code btime} of {@code /proc/stat}.
 */
final class ProcessStart {

  private final ProcFs procfs;

  ProcessStart(Path procfs) {
    this.procfs = new ProcFs(procfs);
  }

  /** Empty where there is no such process; {@link Instant#MIN} where its start is unreadable. */
  Optional<Instant> of(long pid) {
    if (!Files.isDirectory(procfs.process(pid))) {
      return Optional.empty();
    }
    return procfs
        .startTicks(pid)
        .flatMap(ticks -> procfs.bootSecond().map(boot -> boot.plusMillis(millis(ticks))))
        .toOptional()
        .or(() -> Optional.of(Instant.MIN));
  }

  private static long millis(long ticks) {
    return ticks * 1000 / ProcFs.TICKS_PER_SECOND;
  }
}
