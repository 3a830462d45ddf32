package io.lapwing.training;

import io.lapwing.collect.Reading;
import io.lapwing.linux.KernelFile;
import io.lapwing.linux.ProcRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** The processes that procfs shows: {@code <pid>/stat}, {@code self/ns/pid}. */
public final class ProcTrainingProcesses implements TrainingProcesses {

  /** Field 22 of the line, counted behind the name, which may hold anything. */
  private static final int START_BEHIND_NAME = 19;

  private final Path proc;
  private final OptionalLong namespace;

  /** The processes below one procfs. */
  public ProcTrainingProcesses(ProcRoot proc) {
    this.proc = proc.path();
    this.namespace = namespace(this.proc);
  }

  /**
   * That of the first process, where it may be asked: the procfs may be the host's and not that of
   * the agent's container. A procfs that hides others' processes hides the first one too.
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
    Path process = proc.resolve(Long.toString(pid));
    Reading<String> stat = KernelFile.text(process.resolve("stat"));
    if (stat instanceof Reading.Missing) {
      return Optional.empty();
    }
    // A process that ends while its line is read fails in another way than by absence.
    return stat.toOptional().isPresent() || Files.exists(process)
        ? Optional.of(
            new Seen(
                stat.toOptional().map(ProcTrainingProcesses::ticks).orElse(OptionalLong.empty()),
                number(process, "unix:uid")))
        : Optional.empty();
  }

  private static OptionalLong ticks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    try {
      return fields.length > START_BEHIND_NAME
          ? OptionalLong.of(Long.parseLong(fields[START_BEHIND_NAME]))
          : OptionalLong.empty();
    } catch (NumberFormatException malformed) {
      return OptionalLong.empty();
    }
  }
}
