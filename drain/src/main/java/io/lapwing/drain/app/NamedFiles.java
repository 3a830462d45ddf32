package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.Option;
import io.lapwing.drain.exec.SiteProgram;
import io.lapwing.drain.intake.agents.Authorization;
import io.lapwing.drain.jobs.Prices;
import java.io.IOException;
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
    try {
      var unused = Drivers.of(settings);
    } catch (ConfigException wrong) {
      problems.addAll(wrong.problems());
    }
    Path state = settings.get(DrainOptions.STATE);
    if (!isUsable(state)) {
      problems.add(DrainOptions.STATE.name() + ": " + state + " is not a directory");
    }
    return problems;
  }

  /** What is found when a program is needed: it may be on a file system that comes later. */
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
      problems.add(
          key
              + ": "
              + (why.startsWith(file.toString()) && !why.equals(file.toString())
                  ? why
                  : file + " cannot be read: " + wrong.getClass().getSimpleName()));
    }
  }

  /** Also one that the program would make; whether its user may write there, only it can say. */
  private static boolean isUsable(Path folder) {
    for (Path one = folder.toAbsolutePath(); one != null; one = one.getParent()) {
      if (Files.exists(one)) {
        return Files.isDirectory(one);
      }
    }
    return false;
  }
}
