package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command line. picocli takes it apart and writes the help; values are read by the table. */
final class Flags {
  private final List<Option<?>> options;
  private final CommandLine commandLine;

  Flags(List<Option<?>> options) {
    this.options = options;
    this.commandLine = new CommandLine(command(options));
    commandLine
        .setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setUnmatchedArgumentsAllowed(true)
        .setUsageHelpWidth(100);
    commandLine.getCommandSpec().parser().collectErrors(true);
  }

  /** The command line taken apart. */
  record Parsed(Layer layer, boolean help, boolean version) {}

  Parsed parse(List<String> args) {
    ParseResult result = commandLine.parseArgs(args.toArray(String[]::new));
    Layer layer = new Layer();
    result.errors().forEach(error -> layer.problems().add(problem(error)));
    result.unmatched().forEach(word -> layer.problems().add(unknown(word)));
    options.forEach(option -> collect(option, result, layer));
    return new Parsed(layer, result.isUsageHelpRequested(), result.isVersionHelpRequested());
  }

  String help() {
    return commandLine.getUsageMessage(Ansi.OFF);
  }

  private static void collect(Option<?> option, ParseResult result, Layer layer) {
    List<String> texts = texts(option.flag(), result);
    String place = "flag " + option.flag();
    if (texts.size() > 1 && !option.type().repeatable()) {
      layer.problems().add(place + ": given more than once");
    } else if (!texts.isEmpty()) {
      layer.given().add(new Given(option, String.join(",", texts), place));
    }
    if (option.isCollector() && result.hasMatchedOption(option.negatedFlag())) {
      if (!texts.isEmpty()) {
        layer.problems().add(place + ": given together with " + option.negatedFlag());
      }
      layer.given().add(new Given(option, "false", "flag " + option.negatedFlag()));
    }
  }

  private static List<String> texts(String flag, ParseResult result) {
    return result.matchedOptionValue(flag, List.of());
  }

  private static CommandSpec command(List<Option<?>> options) {
    CommandSpec command = CommandSpec.create().name("lapwing agent");
    command
        .usageMessage()
        .description("Serves this node's GPUs as one Prometheus page.")
        .footer(
            "",
            "Each option is also an environment variable ("
                + Options.LISTEN_ADDRESS.variable()
                + ") and a key of --config.file; flags come before variables, variables before"
                + " the file.")
        .sortOptions(false)
        .abbreviateSynopsis(true);
    options.forEach(option -> add(option, command));
    command.addOption(
        OptionSpec.builder(SettingsReader.CHECK)
            .description(
                "Read all of the configuration and the files that it names, print what holds or"
                    + " every mistake, and exit with 0 or 2.")
            .build());
    command.addOption(
        OptionSpec.builder("--version")
            .versionHelp(true)
            .description("Print the version.")
            .build());
    command.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Print this help.").build());
    return command;
  }

  private static void add(Option<?> option, CommandSpec command) {
    OptionSpec.Builder builder =
        OptionSpec.builder(option.flag())
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel(option.isSwitch() ? "true|false" : option.type().placeholder())
            .description(description(option));
    command.addOption(
        (option.isSwitch() ? builder.arity("0..1").fallbackValue("true") : builder.arity("1"))
            .build());
    if (option.isCollector()) {
      command.addOption(OptionSpec.builder(option.negatedFlag()).hidden(true).arity("0").build());
    }
  }

  private static String[] description(Option<?> option) {
    List<String> lines = new ArrayList<>(List.of(option.help()));
    if (option.isCollector()) {
      lines.add(
          "Default: "
              + (option.defaultText().equals("true") ? "on" : "off")
              + ". Off with "
              + option.negatedFlag()
              + ".");
    } else if (!option.defaultText().isEmpty() && !option.isSwitch()) {
      lines.add("Default: " + option.defaultText());
    }
    return lines.toArray(String[]::new);
  }

  private static String problem(Exception error) {
    if (error instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      return "flag " + ((OptionSpec) missing.getMissing().get(0)).longestName() + ": needs a value";
    }
    return "command line: " + error.getMessage();
  }

  private String unknown(String word) {
    if (!word.startsWith("-")) {
      return "command line: '" + word + "' is not a flag";
    }
    String flag = word.split("=", 2)[0];
    Set<String> known = new HashSet<>(commandLine.getCommandSpec().optionsMap().keySet());
    return "flag " + flag + ": unknown" + Nearest.hint(flag, known);
  }
}
