package io.lapwing.drain.exec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where programs are: in fixed folders, never in a PATH from the environment. */
public final class Executables {

  /** Of the system, and where AWS installs Slurm. */
  public static final List<Path> FOLDERS =
      List.of(
          Path.of("/usr/bin"),
          Path.of("/usr/local/bin"),
          Path.of("/opt/slurm/bin"),
          Path.of("/opt/aws/pcs/scheduler/slurm/bin"));

  private Executables() {}

  /** The first one of that name; empty if no folder has it. */
  public static Optional<Path> find(String name, List<Path> folders) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
