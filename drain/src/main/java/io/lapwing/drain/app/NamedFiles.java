package io.lapwing.drain.app;

import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.Option;
import io.lapwing.common.text.FileProblem;
import io.lapwing.common.web.security.ClientAccess;
import io.lapwing.drain.exec.SiteProgram;
import io.lapwing.drain.intake.agents.Authorization;
import io.lapwing.drain.jobs.Prices;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files that the settings name, read as the program reads them. */
final class NamedFiles {

  private NamedFiles() {}

  /** What keeps the controller from starting, each with its option. */
  static List<String> problems(DrainSettings settings) {
    List<String> problems = new ArrayList<>();
    settings
        .get(DrainOptions.PRICES)
        .ifPresent(file -> check(DrainOptions.PRICES.name(), file, Prices::read, problems));
    settings
        .get(DrainOptions.AGENT_LOGIN)
        .ifPresent(
            file ->
                check(
                    DrainOptions.AGENT_LOGIN.name(),
                    file,
                    one -> Authorization.basic(one).header(),
                    problems));
    settings
        .get(DrainOptions.SLURM_CONF)
        .ifPresent(
            file -> check(DrainOptions.SLURM_CONF.name(), file, Files::readAllBytes, problems));
    settings
        .get(DrainOptions.SLURM_TOKEN)
        .ifPresent(
            file -> check(DrainOptions.SLURM_TOKEN.name(), file, Files::readAllBytes, problems));
    for (Path file : settings.get(DrainOptions.AGENT_HTTP_CONFIG).stream().toList()) {
      try {
        var unused = ClientAccess.context(ClientConfig.read(file));
      } catch (ConfigException wrong) {
        problems.addAll(wrong.problems());
      }
    }
    try {
      var unused = Drivers.of(settings, ParallelClusterHost.THIS);
    } catch (ConfigException wrong) {
      problems.addAll(wrong.problems());
    }
    return problems;
  }

  /**
   * Why the journal could not be opened. Not checked at a reload: a full disk must not prevent the
   * change of a mode.
   */
  static List<String> state(DrainSettings settings) {
    Path state = settings.get(DrainOptions.STATE);
    return unwritable(state)
        .map(why -> List.of(DrainOptions.STATE.name() + ": " + state + " " + why))
        .orElse(List.of());
  }

  /**
   * Problems with programs, which are needed only later: their file system may not be mounted yet.
   */
  static List<String> programs(DrainSettings settings) {
    List<String> problems = new ArrayList<>();
    for (var driver : List.of(DrainOptions.RESET, DrainOptions.REBOOT, DrainOptions.REPLACE)) {
      program(driver, settings.get(driver).program(), problems);
    }
    program(DrainOptions.RELEASE_PROGRAM, settings.get(DrainOptions.RELEASE_PROGRAM), problems);
    program(DrainOptions.TEST_PROGRAM, settings.get(DrainOptions.TEST_PROGRAM), problems);
    return problems;
  }

  private static void program(Option<?> option, Optional<Path> file, List<String> problems) {
    file.flatMap(SiteProgram::problem).ifPresent(why -> problems.add(option.name() + ": " + why));
  }

  private interface Reader {
    Object read(Path file) throws IOException;
  }

  private static void check(String key, Path file, Reader reader, List<String> problems) {
    try {
      var unused = reader.read(file);
    } catch (IOException wrong) {
      String why = String.valueOf(wrong.getMessage());
      boolean isOurs = !(wrong instanceof FileSystemException) && why.startsWith(file + ":");
      problems.add(
          key + ": " + (isOurs ? why : file + " cannot be read: " + FileProblem.of(wrong)));
    }
  }

  /**
   * Empty if a directory can be written to, or created. Tests it by a write, since permissions do
   * not restrict root, but a read-only file system does. As with the other files, the permissions
   * of the calling user count.
   */
  private static Optional<String> unwritable(Path folder) {
    Path one = folder.toAbsolutePath();
    while (one.getParent() != null && !Files.exists(one)) {
      one = one.getParent();
    }
    if (!Files.isDirectory(one)) {
      return Optional.of("is not a directory");
    }
    try {
      Files.delete(Files.createTempDirectory(one, ".lapwing-drain-check"));
      return Optional.empty();
    } catch (IOException denied) {
      return Optional.of("cannot be written by this user: " + FileProblem.of(denied));
    }
  }
}
