package io.lapwing.common.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Known flags, and all other words, in order. A flag with a value is {@code --flag=value} or {@code
 * --flag value}; a value that starts with {@code --} needs {@code =}.
 */
public record CommandLine(List<Flag> flags, Rest rest) {

  /** A flag as given, with its dashes; the value is empty for a switch. */
  public record Flag(String name, Optional<String> value) {}

  /** Words that a command does not know, and the flags that it knows: one of those may be meant. */
  public record Rest(List<String> words, Set<String> known) {

    public Rest {
      words = List.copyOf(words);
      known = Set.copyOf(known);
    }

    /** The whole command line of a command. */
    public static Rest all(List<String> words) {
      return new Rest(words, Set.of());
    }

    /** The suggestion for a word, also among these flags; empty if none is close. */
    public String hint(String word, Collection<String> flags) {
      Set<String> all = new HashSet<>(known);
      all.addAll(flags);
      all.remove("-h");
      return SpellingHint.of(word.split("=", 2)[0], all);
    }
  }

  public CommandLine {
    flags = List.copyOf(flags);
  }

  /**
   * Splits the command line of a subcommand; throws every flag that is repeated, lacks its value or
   * has one too many.
   */
  public static CommandLine of(List<String> args, Set<String> switches, Set<String> valued)
      throws ConfigException {
    List<String> problems = new ArrayList<>();
    CommandLine line = split(args, switches, valued, problems);
    Set<String> seen = new HashSet<>();
    for (Flag flag : line.flags) {
      if (switches.contains(flag.name()) && flag.value().isPresent()) {
        problems.add("flag " + flag.name() + ": takes no value");
      }
      if (!seen.add(flag.name())) {
        problems.add("flag " + flag.name() + ": given more than once");
      }
    }
    ConfigException.throwAny(problems);
    return line;
  }

  /** Splits a command line. A switch may have a value, attached with {@code =}. */
  public static CommandLine split(
      List<String> args, Set<String> switches, Set<String> valued, List<String> problems) {
    Set<String> known = new HashSet<>(switches);
    known.addAll(valued);
    List<Flag> flags = new ArrayList<>();
    List<String> rest = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      boolean nextIsValue = i + 1 < args.size() && !args.get(i + 1).startsWith("--");
      if (!switches.contains(name) && !valued.contains(name)) {
        rest.add(word);
      } else if (equals >= 0) {
        flags.add(new Flag(name, Optional.of(word.substring(equals + 1))));
      } else if (switches.contains(name)) {
        flags.add(new Flag(name, Optional.empty()));
      } else if (nextIsValue) {
        flags.add(new Flag(name, Optional.of(args.get(++i))));
      } else {
        problems.add("flag " + name + ": needs a value");
      }
    }
    return new CommandLine(flags, new Rest(rest, known));
  }

  public boolean has(String flag) {
    return flags.stream().anyMatch(one -> one.name().equals(flag));
  }

  /** The value of a flag, the first if it is repeated; empty if it is not given. */
  public Optional<String> value(String flag) {
    return flags.stream().filter(one -> one.name().equals(flag)).findFirst().flatMap(Flag::value);
  }
}
