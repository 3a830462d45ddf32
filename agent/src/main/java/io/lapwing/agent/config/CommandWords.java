package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The words behind a small subcommand: its own flags taken out, the others left as they are.
 *
 * @param values of {@code --flag value} and {@code --flag=value}; of a switch, the empty text
 * @param rest all other words, in their order
 */
public record CommandWords(Map<String, String> values, List<String> rest) {

  public CommandWords {
    values = Map.copyOf(values);
    rest = List.copyOf(rest);
  }

  /**
   * Takes a command line apart.
   *
   * @param switches flags without a value, with their dashes
   * @param valued flags with one
   * @throws ConfigException for a flag that is given twice, lacks its value or has one too many
   */
  public static CommandWords of(List<String> args, Set<String> switches, Set<String> valued)
      throws ConfigException {
    Map<String, String> values = new HashMap<>();
    List<String> rest = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      int equals = word.indexOf('=');
      String flag = equals < 0 ? word : word.substring(0, equals);
      if (!switches.contains(flag) && !valued.contains(flag)) {
        rest.add(word);
      } else if (switches.contains(flag) && equals >= 0) {
        problems.add("flag " + flag + ": takes no value");
      } else if (valued.contains(flag) && equals < 0 && i + 1 == args.size()) {
        problems.add("flag " + flag + ": needs a value");
      } else {
        String value = equals < 0 ? "" : word.substring(equals + 1);
        if (valued.contains(flag) && equals < 0) {
          value = args.get(++i);
        }
        if (values.put(flag, value) != null) {
          problems.add("flag " + flag + ": given more than once");
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new CommandWords(values, rest);
  }

  /** Whether the flag is there. */
  public boolean has(String flag) {
    return values.containsKey(flag);
  }

  public Optional<String> value(String flag) {
    return Optional.ofNullable(values.get(flag));
  }
}
