package io.lapwing.agent.judge;

import io.lapwing.collect.Reading;
import io.lapwing.linux.KernelFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * When processes were started, from {@code /proc/PID/stat} and {@code btime} of {@code /proc/stat}.
 */
final class ProcessStart {

  /** USER_HZ, the same on every architecture that GPUs are sold with. */
  private static final long TICKS_A_SECOND = 100;

  /** Field 22 of the line, counted behind the name, which may hold anything. */
  private static final int START_BEHIND_NAME = 19;

  private final Path procfs;
  private final BootWatch boot;

  ProcessStart(Path procfs) {
    this.procfs = procfs;
    this.boot = new BootWatch(procfs);
  }

  /** Empty where there is no such process; long ago where its start cannot be told. */
  Optional<Instant> of(long pid) {
    Path process = procfs.resolve(String.valueOf(pid));
    if (!Files.isDirectory(process)) {
      return Optional.empty();
    }
    return ticks(process)
        .flatMap(
            ticks -> boot.bootedAt().map(start -> start.plusMillis(ticks * 1000 / TICKS_A_SECOND)))
        .or(() -> Optional.of(Instant.MIN));
  }

  private static Optional<Long> ticks(Path process) {
    Reading<String> stat = KernelFile.text(process.resolve("stat"));
    return stat.toOptional().flatMap(ProcessStart::ticks);
  }

  private static Optional<Long> ticks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    try {
      return fields.length > START_BEHIND_NAME
          ? Optional.of(Long.parseLong(fields[START_BEHIND_NAME]))
          : Optional.empty();
    } catch (NumberFormatException malformed) {
      return Optional.empty();
    }
  }
}
