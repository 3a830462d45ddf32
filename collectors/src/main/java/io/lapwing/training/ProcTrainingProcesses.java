package io.lapwing.training;

import io.lapwing.collect.Reading;
import io.lapwing.linux.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Processes from procfs: {@code <pid>/stat}, {@code self/ns/pid}. */
public final class ProcTrainingProcesses implements TrainingProcesses {

  private final ProcFs proc;
  private final OptionalLong namespace;

  public ProcTrainingProcesses(ProcFs proc) {
    this.proc = proc;
    this.namespace = namespace(proc.path());
  }

  /**
   * The namespace of pid 1, since the procfs may be the host's and not that of the agent's
   * container. Empty with {@code hidepid}, which hides pid 1 as well.
   */
  private static OptionalLong namespace(Path proc) {
    if (!Files.exists(proc.resolve("1/stat"))) {
      return OptionalLong.empty();
    }
    OptionalLong first = number(proc.resolve("1/ns/pid"), "unix:ino");
    return first.isPresent() ? first : number(proc.resolve("self/ns/pid"), "unix:ino");
  }

  private static OptionalLong number(Path file, String attribute) {
    try {
      return Files.getAttribute(file, attribute) instanceof Number number
          ? OptionalLong.of(number.longValue())
          : OptionalLong.empty();
    } catch (IOException | SecurityException hidden) {
      return OptionalLong.empty();
    }
  }

  @Override
  public OptionalLong namespace() {
    return namespace;
  }

  @Override
  public Optional<Seen> find(long pid) {
    Path process = proc.process(pid);
    Reading<Long> ticks = proc.startTicks(pid);
    if (ticks instanceof Reading.Missing) {
      return Optional.empty();
    }
    // A process that exits during the read fails with another error than "not found".
    return ticks.toOptional().isPresent() || Files.exists(process)
        ? Optional.of(
            new Seen(
                ticks.toOptional().map(OptionalLong::of).orElse(OptionalLong.empty()),
                number(process, "unix:uid")))
        : Optional.empty();
  }
}
