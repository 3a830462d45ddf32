package io.lapwing.agent.dropin;

import io.lapwing.agent.cli.CommandErrors;
import io.lapwing.agent.names.MigratedFiles;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.text.PlainText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code lapwing migrate from-dcgm-exporter}: Lapwing's settings for those of dcgm-exporter. */
public record FromExporterCommand(PrintStream out, PrintStream err) {

  public static final String NAME = "from-dcgm-exporter";

  static final String HELP =
      """
      usage: lapwing migrate from-dcgm-exporter FILE ...

      Prints Lapwing's settings for a configuration of dcgm-exporter, with every difference as a comment. A file is a unit
      of systemd, a command line or docker run, a file of variables, a manifest of Kubernetes, a compose file, or values of
      the chart of dcgm-exporter or of the GPU operator. Unknown flags, variables and values go to standard error too.

      Flags:
        -h, --help    Show this help.

      Exit codes: 0: translated; 1: a file cannot be read, or has no dcgm-exporter; 2: usage error.
      """;

  /** The arguments after the name. */
  public int run(List<String> args) {
    return CommandErrors.of(err).run("migrate", () -> migrate(args));
  }

  private int migrate(List<String> args) throws ConfigException, IOException {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(HELP);
      return 0;
    }
    Map<Path, Input> inputs = new LinkedHashMap<>();
    boolean readable = true;
    CommandLine line = CommandLine.of(args, Set.of(), Set.of());
    for (Map.Entry<Path, String> file : MigratedFiles.read(line.rest()).entrySet()) {
      try {
        inputs.put(file.getKey(), Input.read(file.getKey(), file.getValue()));
      } catch (Input.Unreadable unreadable) {
        unreadable.problems().forEach(problem -> err.println("lapwing: " + PlainText.of(problem)));
        readable = false;
      }
    }
    inputs.forEach(this::print);
    out.flush();
    return readable ? 0 : 1;
  }

  private void print(Path file, Input input) {
    input
        .found()
        .unknown()
        .forEach(unknown -> err.println("lapwing: warning: " + PlainText.of(unknown.toString())));
    out.print(Rendering.of(file, input, Equivalent.of(file, input)));
  }
}
