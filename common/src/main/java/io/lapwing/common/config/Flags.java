package io.lapwing.common.config;

import io.lapwing.common.text.Paragraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The flags of a program: those of its option table, and five that only run once. */
public final class Flags {
  private static final String HELP = "--help";
  private static final String HELP_SHORT = "-h";
  private static final String HELP_LONG = "--help-long";
  private static final String VERSION = "--version";
  private static final String CHECK = "--check-config";

  /** Flag text of up to this many characters shares its line with the description. */
  private static final int COLUMN = 34;

  private static final int MAX_LINE = 120;
  private static final int MAX_COLUMN = 42;

  /** The end of the first clause of a sentence. */
  private static final Pattern CLAUSE = Pattern.compile("(?<=[.])\\s|[:;]\\s");

  private final OptionTable table;
  private final List<Option<?>> options;
  private final Set<String> valueless =
      new HashSet<>(Set.of(HELP, HELP_SHORT, HELP_LONG, VERSION, CHECK));
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

  /**
   * A parsed command line.
   *
   * @param whole whether the help with whole sentences was requested
   */
  public record Parsed(
      OptionValues.ConfigSource source,
      boolean help,
      boolean whole,
      boolean version,
      boolean check) {}

  /** Options that are listed together; the title is empty for all. */
  public record Section(String title, List<Option<?>> options) {

    public Section {
      options = List.copyOf(options);
    }
  }

  /** {@code args} are the words that a command which shares these flags did not recognize. */
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
        source,
        line.has(HELP) || line.has(HELP_SHORT) || line.has(HELP_LONG),
        line.has(HELP_LONG),
        line.has(VERSION),
        line.has(CHECK));
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
   * @param usage ends with the line of the flags
   * @param example an option, whose variable is shown
   * @param sections have all options
   * @param standing the default state of a switch, after its description; or nothing
   */
  public String help(
      String usage,
      Option<?> example,
      List<Section> sections,
      Function<Option<?>, String> standing) {
    return listed(
        usage,
        example,
        sections,
        (option, column) -> row(flag(option), description(option, standing)));
  }

  /** The same with a line for each option: the first clause of its description. */
  public String summary(
      String usage,
      Option<?> example,
      List<Section> sections,
      Function<Option<?>, String> standing) {
    return listed(usage, example, sections, (option, column) -> line(option, column, standing));
  }

  public String help(String usage, Option<?> example) {
    return help(usage, example, List.of(new Section("", options)), option -> "");
  }

  private String listed(
      String usage,
      Option<?> example,
      List<Section> sections,
      BiFunction<Option<?>, Integer, String> row) {
    StringBuilder help = new StringBuilder(usage);
    help.append(row("-h, " + HELP, "Show this help."))
        .append(row(VERSION, "Show the version."))
        .append(
            row(
                CHECK,
                "Check the configuration and every file that it names, print the settings or every"
                    + " mistake, and exit with 0 or 2."));
    for (Section section : sections) {
      help.append(section.title().isEmpty() ? "" : "\n" + section.title() + ":\n");
      int column = column(section);
      section.options().forEach(option -> help.append(row.apply(option, column)));
    }
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

  /** After the longest flag that does not move the descriptions too far to the right. */
  private static int column(Section section) {
    return section.options().stream()
        .mapToInt(option -> flag(option).length() + 8)
        .filter(length -> length <= MAX_COLUMN)
        .max()
        .orElse(COLUMN);
  }

  /** Without the default if the line would be too long. */
  private static String line(Option<?> option, int column, Function<Option<?>, String> standing) {
    String start = "      " + flag(option);
    String gap = " ".repeat(Math.max(2, column - start.length()));
    String clause = CLAUSE.split(option.help(), 2)[0];
    String line = start + gap + clause + (clause.endsWith(".") ? "" : ".") + standing.apply(option);
    String preset = option.isBoolean() ? "" : option.defaultText();
    String whole = line + (preset.isEmpty() ? "" : " (default: " + preset + ")");
    return (whole.length() <= MAX_LINE ? whole : line) + "\n";
  }

  private static String row(String flag, String description) {
    String start = (flag.startsWith("-h") ? "  " : "      ") + flag;
    String indent = " ".repeat(COLUMN);
    return start.length() + 2 <= COLUMN
        ? Paragraph.of(start + " ".repeat(COLUMN - start.length()), indent, description)
        : start + "\n" + Paragraph.of(indent, indent, description);
  }
}
