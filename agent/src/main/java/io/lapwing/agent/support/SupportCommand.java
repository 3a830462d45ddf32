package io.lapwing.agent.support;

import io.lapwing.agent.cli.AgentPages;
import io.lapwing.agent.cli.AgentPages.Answer.None;
import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.cli.CommandErrors;
import io.lapwing.agent.cli.SinceFlag;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.linux.SmallFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code lapwing support-bundle}; {@code version} is the JSON of {@code lapwing version}. */
public record SupportCommand(
    CheckCommand check, String version, InstantSource clock, PrintStream out, PrintStream err) {

  static final String HELP =
      """
      usage: lapwing support-bundle [<flags>] [<flags of lapwing agent>]

      Writes one zip file on this node for a support case: versions, configuration without secrets, health, metrics,
      events and kernel messages. It prints first what is inside. Without a running agent it has the rest. The file is
      new, readable by you alone, and sent to no one. As root it has the kernel log and the event log.

      Flags:
        -h, --help                    Show this help.
            --list                    Print what would be inside, and write nothing.
            --output=FILE             The file to write; it must not exist.
                                      (default: lapwing-support-HOST-TIME.zip in this directory)
            --since=TIME              Events of the last 90m, 12h or 7d, or since 2026-11-20T03:00:00Z. (default: 24h)
            --no-kernel               Leave out kernel messages, which name programs of users.
            --url=URL                 Agent of this machine. (default: --web.unix-socket, then --web.listen-address)
            --http.config.file=FILE   Credentials for an agent with --web.config.file; see lapwing check --help.

      Exit codes: 0: written; 1: not written; 2: usage error.
      """;

  private static final int FAILED = 1;
  private static final Duration EVENTS = Duration.ofHours(24);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  public int run(List<String> args) {
    return CommandErrors.of(err).run("support-bundle", () -> bundle(args));
  }

  private int bundle(List<String> args) throws ConfigException, IOException, InterruptedException {
    CommandLine line =
        CommandLine.of(
            args,
            Set.of("--help", "-h", "--list", "--no-kernel"),
            Set.of("--output", SinceFlag.FLAG));
    if (line.has("--help") || line.has("-h")) {
      out.print(HELP);
      return 0;
    }
    Instant since = SinceFlag.of(line, clock.instant()).orElse(clock.instant().minus(EVENTS));
    AgentPages agent = check.pages(line.rest());
    if (CheckCommand.hasUrl(line.rest()) && agent.get("/api/v1/health") instanceof None none) {
      throw new IOException(none.why() + "; without --url the bundle has the rest");
    }
    List<BundlePart> parts =
        new BundleParts(check.configuration(line.rest()), agent, since, version)
            .all(!line.has("--no-kernel"));
    String manifest = manifest(parts);
    out.print(manifest);
    out.flush();
    return line.has("--list") ? 0 : write(output(line), manifest, parts);
  }

  private int write(Path file, String manifest, List<BundlePart> parts)
      throws InterruptedException {
    try {
      String results = BundleFile.write(file, manifest, parts);
      out.print("\n" + results + "\n" + file + " is written. Read it before you send it.\n");
      return 0;
    } catch (FileAlreadyExistsException exists) {
      err.println("lapwing: " + file + " exists already, and is not replaced");
    } catch (NoSuchFileException missing) {
      err.println("lapwing: " + file + " cannot be written: its directory does not exist");
    } catch (IOException failed) {
      err.println("lapwing: " + file + " cannot be written: " + failed.getMessage());
    }
    return FAILED;
  }

  private String manifest(List<BundlePart> parts) {
    StringBuilder text = new StringBuilder();
    text.append("Support bundle of ").append(host()).append(", ").append(clock.instant());
    text.append(
        """


        Names of jobs, users, pods and programs are inside as far as the agent shows them (--web.privacy). Passwords, keys,
        tokens and what looks like them are replaced by [redacted]. RESULT.txt has what could not be read, and why.

        """);
    for (BundlePart part : parts) {
      text.append("%-16s %s%n".formatted(part.name(), part.what()));
    }
    return text.toString();
  }

  private Path output(CommandLine line) throws ConfigException {
    Optional<String> given = line.value("--output");
    if (given.isPresent() && given.get().isEmpty()) {
      throw new ConfigException(List.of("flag --output: a file name is missing"));
    }
    return Path.of(
        given.orElseGet(
            () -> "lapwing-support-" + host() + "-" + TIME.format(clock.instant()) + ".zip"));
  }

  /** Without characters that a file name should not have. */
  private static String host() {
    String name =
        SmallFile.text(Path.of("/proc/sys/kernel/hostname")).toOptional().orElse("unknown");
    return name.replaceAll("[^A-Za-z0-9._-]", "_");
  }
}
