package io.lapwing.agent.deep;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.cuda.CudaDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parsed flags of {@code lapwing check --deep}. */
record DeepRequest(
    boolean help,
    boolean json,
    boolean force,
    boolean tools,
    Optional<Path> toolsDir,
    int dcgmLevel,
    String cuda,
    Optional<Path> baseline,
    Duration eachGpu,
    Duration total,
    CommandLine.Rest agentFlags) {

  static final String HELP =
      """
      usage: lapwing check --deep [<flags>] [<flags of lapwing agent>]

      Tests the GPUs of a node without a job: copies and arithmetic with verified results, and their speed. It uses the
      GPUs fully, and refuses to start while any of them has compute processes. For a prolog, an epilog or a drained
      node. The agent shows the last result as metrics and, if it is not good, as a finding.

      Flags:
        -h, --help                    Show this help.
            --json                    Print JSON; the same as --format=json.
            --format=text|json        Output format. (default: text)
            --force                   Test GPUs with compute processes too. It slows down or ends their job.
            --deep.baseline=FILE      Expected speed: CSV with model,test,per_second. Less than 90 % of it is slow.
            --deep.gpu-timeout=30s    Time for each step of one GPU, after which it counts as hung.
            --deep.timeout=240s       Time for the whole check, at most 300s.
            --deep.library=FILE       CUDA driver library. (default: libcuda.so.1)
            --deep.tools=auto|none    Whether to run dcgmi, nvbandwidth, all_reduce_perf and fi_pingpong, where
                                      installed. (default: auto)
            --deep.tools-dir=DIR      Directory of these tools, searched before PATH.
            --deep.dcgm-level=1|2     Level of dcgmi diag. (default: 1)

      Exit codes:
        0   healthy: every test passed
        1   degraded: a GPU is slow, or a tool did not pass
        2   failing: wrong results, an error, or no end within the deadline
        3   unknown: a GPU could not be tested
        4   refused: a GPU has compute processes
        64  usage error
      """;

  private static final int LONGEST = 300;
  private static final Pattern SECONDS = Pattern.compile("([1-9][0-9]{0,2})s");

  static DeepRequest parse(List<String> args) throws ConfigException {
    CommandLine line =
        CommandLine.of(
            args,
            Set.of(DeepCommand.FLAG, "--json", "--force", "--help", "-h"),
            Set.of(
                "--format",
                "--deep.baseline",
                "--deep.gpu-timeout",
                "--deep.timeout",
                "--deep.library",
                "--deep.tools",
                "--deep.tools-dir",
                "--deep.dcgm-level"));
    List<String> problems = new ArrayList<>();
    String format = word(line, "--format", "text", Set.of("text", "json"), problems);
    DeepRequest request =
        new DeepRequest(
            line.has("--help") || line.has("-h"),
            line.has("--json") || format.equals("json"),
            line.has("--force"),
            word(line, "--deep.tools", "auto", Set.of("auto", "none"), problems).equals("auto"),
            line.value("--deep.tools-dir").map(Path::of),
            word(line, "--deep.dcgm-level", "1", Set.of("1", "2"), problems).equals("2") ? 2 : 1,
            line.value("--deep.library").orElse(CudaDriver.DEFAULT_LIBRARY),
            line.value("--deep.baseline").map(Path::of),
            seconds(line, "--deep.gpu-timeout", 30, problems),
            seconds(line, "--deep.timeout", 240, problems),
            line.rest());
    ConfigException.throwAny(problems);
    return request;
  }

  private static String word(
      CommandLine line, String flag, String preset, Set<String> words, List<String> problems) {
    String word = line.value(flag).orElse(preset);
    if (!words.contains(word)) {
      problems.add("flag " + flag + ": '" + word + "' is not one of " + String.join(", ", words));
    }
    return word;
  }

  private static Duration seconds(
      CommandLine line, String flag, int preset, List<String> problems) {
    Optional<String> text = line.value(flag);
    if (text.isEmpty()) {
      return Duration.ofSeconds(preset);
    }
    Matcher matcher = SECONDS.matcher(text.get());
    if (matcher.matches() && Integer.parseInt(matcher.group(1)) <= LONGEST) {
      return Duration.ofSeconds(Integer.parseInt(matcher.group(1)));
    }
    problems.add("flag " + flag + ": '" + text.get() + "' is not 1s to " + LONGEST + "s");
    return Duration.ofSeconds(preset);
  }
}
