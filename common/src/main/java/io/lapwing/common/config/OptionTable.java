package io.lapwing.common.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The options of a program.
 *
 * @param program its name in messages: {@code agent}
 * @param prefix of its environment variables
 * @param reserved variables with that prefix that other programs read, so no typing mistakes
 * @param configFile the option that names the YAML file
 * @param options all of them, in the order in which they are listed
 */
public record OptionTable(
    String program,
    String prefix,
    Set<String> reserved,
    Option<Optional<Path>> configFile,
    List<Option<?>> options) {

  public OptionTable {
    reserved = Set.copyOf(reserved);
    options = List.copyOf(options);
  }

  public String variable(Option<?> option) {
    return option.variable(prefix);
  }
}
