package io.lapwing.common.config;

import io.lapwing.common.text.Paragraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The flags of a program: those of its option table, and four that only run once. */
public final class Flags {
  private static final String HELP = "--help";
  private static final String HELP_SHORT = "-h";
  private static final String VERSION = "--version";
  private static final String CHECK = "--check-config";

  /** Flag text of up to this many characters shares its line with the description. */
  private static final int COLUMN = 34;

  private final OptionTable table;
  private final List<Option<?>> options;
  private final Set<String> valueless = new HashSet<>(Set.of(HELP, HELP_SHORT, VERSION, CHECK));
  private final Set<String> switches = new HashSet<>();
  private final Set<String> valued = new HashSet<>();

  public Flags(OptionTable table) {
    this.table = table;
    this.options = table.options();
    for (Option<?> option : options) {
      (option.isBoolean() ? switches : valued).add(option.flag());
      if (option.isBoolean()) {
        valueless.add(option.negatedFlag());
      }
    }
    switches.addAll(valueless);
  }

  public record Parsed(
      OptionValues.ConfigSource source, boolean help, boolean version, boolean check) {}

  /** {@code args} are what a command that takes these flags, too, does not know. */
  public Parsed parse(CommandLine.Rest args) {
    OptionValues.ConfigSource source = new OptionValues.ConfigSource();
    List<String> problems = source.problems();
    CommandLine line = CommandLine.split(args.words(), switches, valued, problems);
    line.rest().words().forEach(word -> problems.add(unknown(word, args, line.rest())));
    Map<String, List<String>> texts = new HashMap<>();
    for (CommandLine.Flag flag : line.flags()) {
      if (flag.value().isPresent() && valueless.contains(flag.name())) {
        problems.add("flag " + flag.name() + ": takes no value");
      }
      texts
          .computeIfAbsent(flag.name(), name -> new ArrayList<>())
          .add(flag.value().orElse("true"));
    }
    options.forEach(option -> collect(option, texts, source));
    return new Parsed(
        source, line.has(HELP) || line.has(HELP_SHORT), line.has(VERSION), line.has(CHECK));
  }

  private static void collect(
      Option<?> option, Map<String, List<String>> texts, OptionValues.ConfigSource source) {
    List<String> given = texts.getOrDefault(option.flag(), List.of());
    List<String> negated = texts.getOrDefault(option.negatedFlag(), List.of());
    String place = "flag " + option.flag();
    if (!given.isEmpty() && !negated.isEmpty()) {
      source.problems().add(place + ": given together with " + option.negatedFlag());
    } else if (given.size() + negated.size() > 1 && !option.type().repeatable()) {
      source
          .problems()
          .add(
              (given.isEmpty() ? "flag " + option.negatedFlag() : place)
                  + ": given more than once");
    } else if (!given.isEmpty()) {
      source.add(option, String.join(",", given), place);
    } else if (!negated.isEmpty()) {
      source.add(option, "false", "flag " + option.negatedFlag());
    }
  }

  private static String unknown(String word, CommandLine.Rest ofCommand, CommandLine.Rest ofAgent) {
    return word.startsWith("-")
        ? "flag " + word.split("=", 2)[0] + ": unknown" + ofCommand.hint(word, ofAgent.known())
        : "command line: '" + word + "' is not a flag";
  }

  /**
   * The text of {@code --help}, in the layout of Prometheus' exporters.
   *
   * @param usage ends with {@code Flags:}
   * @param example an option, whose variable is shown
   * @param standing the state of a switch by default, behind its description; or nothing
   */
  public String help(String usage, Option<?> example, Function<Option<?>, String> standing) {
    StringBuilder help = new StringBuilder(usage);
    help.append(row("-h, " + HELP, "Show this help."))
        .append(row(VERSION, "Show the version."))
        .append(
            row(
                CHECK,
                "Check the configuration and every file that it names, print the settings or every"
                    + " mistake, and exit with 0 or 2."));
    options.forEach(option -> help.append(row(flag(option), description(option, standing))));
    return help.append('\n')
        .append(
            Paragraph.of(
                "",
                "",
                "Each option is also an environment variable ("
                    + table.variable(example)
                    + ") and a key of --config.file. A flag overrides the variable, the variable"
                    + " overrides the file."))
        .toString();
  }

  private static String flag(Option<?> option) {
    if (option.isBoolean()) {
      return "--[no-]" + option.name();
    }
    return option.flag()
        + "="
        + option.type().placeholder()
        + (option.type().repeatable() ? " ..." : "");
  }

  private static String description(Option<?> option, Function<Option<?>, String> standing) {
    return option.help()
        + standing.apply(option)
        + (option.isBoolean() || option.defaultText().isEmpty()
            ? ""
            : " (default: " + option.defaultText() + ")");
  }

  private static String row(String flag, String description) {
    String start = (flag.startsWith("-h") ? "  " : "      ") + flag;
    String indent = " ".repeat(COLUMN);
    return start.length() + 2 <= COLUMN
        ? Paragraph.of(start + " ".repeat(COLUMN - start.length()), indent, description)
        : start + "\n" + Paragraph.of(indent, indent, description);
  }
}
