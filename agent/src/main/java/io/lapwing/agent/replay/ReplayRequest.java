package io.lapwing.agent.replay;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The arguments of {@code lapwing replay}: the log, the site's policy, a profile, and the driver's
 * version before the log names one.
 */
public record ReplayRequest(
    Path kmsg,
    Optional<Path> policy,
    Optional<String> profile,
    Optional<String> driver,
    boolean json) {

  public static final String HELP =
      """
      usage: lapwing replay --kmsg=FILE [<flags>]

      Evaluates a recorded kernel log as the agent would have: prints each message of NVIDIA's drivers, the policy's
      response to it, each fault of the host, and every change of the node's verdict.

      Flags:
        -h, --help                    Show this help.
            --kmsg=FILE               The log, from /dev/kmsg, dmesg, journalctl, syslog or a container runtime, in any
                                      of their formats. Without dates, time starts at 1970-01-01T00:00:00Z.
            --driver=VERSION          The driver's version, such as 580.95.05, where the log does not name it.
            --policy=FILE             Policy file to try.
            --profile=NAME            Health policy profile: aws, nvidia, balanced.
            --json                    Print one JSON object per line.

      Exit code: 0, also if the log ends with a failing node; 3 if the verdict at the end is unknown, as for a log in
      no known form; 2 for a wrong flag or a file that cannot be opened, 1 if reading the log fails later.
      """;

  private static final Pattern VERSION = Pattern.compile("\\d{3,4}(\\.\\d{1,4}){0,3}");

  public static boolean wantsHelp(List<String> args) {
    return args.contains("--help") || args.contains("-h");
  }

  public static ReplayRequest parse(List<String> args) throws ConfigException {
    CommandLine words =
        CommandLine.of(
            args, Set.of("--json"), Set.of("--kmsg", "--policy", "--profile", "--driver"));
    List<String> problems = new ArrayList<>();
    for (String word : words.rest().words()) {
      String hint = words.rest().hint(word, List.of("--help"));
      problems.add("flag " + word + ": replay does not have this flag" + hint);
    }
    if (!words.has("--kmsg")) {
      problems.add("flag --kmsg: is missing; it names the log");
    }
    Optional<Path> kmsg = file("--kmsg", words, problems);
    Optional<Path> policy = file("--policy", words, problems);
    Optional<String> driver = words.value("--driver");
    driver
        .filter(text -> !VERSION.matcher(text).matches())
        .ifPresent(
            text ->
                problems.add("flag --driver: '" + text + "' is not a version such as 580.95.05"));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new ReplayRequest(
        kmsg.orElseThrow(), policy, words.value("--profile"), driver, words.has("--json"));
  }

  private static Optional<Path> file(String flag, CommandLine words, List<String> problems) {
    Optional<Path> file = words.value(flag).map(Path::of);
    file.filter(path -> !Files.isReadable(path) || Files.isDirectory(path))
        .ifPresent(
            path -> problems.add("flag " + flag + ": '" + path + "' is not a readable file"));
    return file;
  }
}
