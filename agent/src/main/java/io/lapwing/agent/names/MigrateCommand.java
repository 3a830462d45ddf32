package io.lapwing.agent.names;

import io.lapwing.agent.cli.CommandErrors;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.text.PlainText;
import io.lapwing.gpu.NameGeneration;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code lapwing migrate names}: dashboards and rule files with the names of another release. */
public record MigrateCommand(PrintStream out, PrintStream err) {

  static final String HELP =
      """
      usage: lapwing migrate names [--to=NAMES] [--write] FILE ...

      Translates Grafana dashboards (JSON) and rule files (YAML) between the names of dcgm-exporter's releases:
      families, labels, and values whose unit differs. Prints the translated files; warnings go to standard error.
      lapwing migrate from-dcgm-exporter --help: Lapwing's settings for those of dcgm-exporter.

      Flags:
        -h, --help        Show this help.
            --to=NAMES    classic (up to 4.8.2), classic-hostname (4.8.3 and 4.8.4) or 4.9. (default: 4.9)
            --write       Write the files instead of printing them.

      Exit codes: 0: translated; 1: a file cannot be read or written; 2: usage error.
      """;

  private static final String TO = "--to";
  private static final String WRITE = "--write";

  public int run(List<String> args) {
    return CommandErrors.of(err).run("migrate", () -> migrate(args));
  }

  private int migrate(List<String> args) throws ConfigException, IOException {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(HELP);
      return 0;
    }
    if (args.isEmpty() || !args.get(0).equals("names")) {
      throw problem("names or from-dcgm-exporter is missing: lapwing migrate names FILE ...");
    }
    CommandLine line = CommandLine.of(args.subList(1, args.size()), Set.of(WRITE), Set.of(TO));
    Translation translation = new Translation(target(line));
    Map<Path, String> files = MigratedFiles.read(line.rest());
    for (Map.Entry<Path, String> file : files.entrySet()) {
      Translation.Result result = translation.translate(file.getValue());
      result
          .warnings()
          .forEach(warning -> err.println("lapwing: warning: " + file.getKey() + ":" + warning));
      if (!line.has(WRITE)) {
        out.print(result.text());
      } else if (result.changes() > 0) {
        Files.writeString(file.getKey(), result.text());
        err.println("lapwing: " + file.getKey() + ": " + result.changes() + " changes");
      }
    }
    out.flush();
    return 0;
  }

  private static NameGeneration target(CommandLine line) throws ConfigException {
    String word = line.value(TO).orElse(NameGeneration.V4_9.toString());
    return NameGeneration.named(word)
        .orElseThrow(
            () ->
                problem(
                    "flag "
                        + TO
                        + ": '"
                        + PlainText.of(word)
                        + "' is not one of "
                        + String.join(", ", NameGeneration.words())));
  }

  static ConfigException problem(String message) {
    return new ConfigException(List.of("migrate: " + message));
  }
}
