package io.lapwing.agent.deep;

import io.lapwing.agent.deep.BoundedProcess.Ended;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The site's own tests, where installed; a missing one is stated and no failure.
 *
 * @param folders where to look, in this order; empty to run none
 * @param dcgmLevel of {@code dcgmi diag}: 1 or 2
 */
record SiteTools(List<Path> folders, int dcgmLevel) {

  private static final int MAX_DETAIL = 400;

  /** A row of {@code dcgmi diag}: {@code | Memory | Fail - GPU: 3 |}. */
  private static final Pattern DCGM_FAILED =
      Pattern.compile("^\\|\\s*([^|]+?)\\s*\\|\\s*Fail\\b.*");

  private static final Pattern DCGM_PASSED =
      Pattern.compile("^\\|\\s*([^|]+?)\\s*\\|\\s*Pass\\b.*");
  private static final Pattern BANDWIDTH = Pattern.compile("^SUM\\s+(\\S+)\\s+([0-9.]+).*");
  private static final Pattern BUS = Pattern.compile("^# Avg bus bandwidth\\s*:\\s*([0-9.]+).*");
  private static final Pattern WRONG = Pattern.compile("^# Out of bounds values\\s*:\\s*(\\d+).*");

  /** Bytes, count, count, total, time, then MB/s: {@code 1m 10 =10 10m 0.01s 1234.56 ...}. */
  private static final Pattern PINGPONG =
      Pattern.compile("^\\S+\\s+\\S+\\s+=?\\S+\\s+\\S+\\s+[0-9.]+s\\s+([0-9.]+)\\s.*");

  SiteTools {
    folders = List.copyOf(folders);
  }

  /** The folders of {@code PATH}, with the given one before them. */
  static SiteTools on(String path, Optional<Path> first, int dcgmLevel) {
    List<Path> folders = new ArrayList<>(first.stream().toList());
    Arrays.stream(path.split(":"))
        .filter(folder -> folder.startsWith("/"))
        .map(Path::of)
        .forEach(folders::add);
    return new SiteTools(folders, dcgmLevel);
  }

  private interface Parser {
    ToolResult parse(String tool, String output, int code);
  }

  /** Runs one after the other; {@code limit} is asked before each. */
  List<ToolResult> run(Supplier<TimeLimit> limit, int gpus) throws InterruptedException {
    if (folders.isEmpty()) {
      return List.of();
    }
    List<ToolResult> results = new ArrayList<>();
    results.add(
        tool(
            "dcgmi",
            List.of("diag", "-r", String.valueOf(dcgmLevel)),
            limit.get(),
            SiteTools::dcgm));
    results.add(
        tool(
            "nvbandwidth",
            List.of("-t", "host_to_device_memcpy_ce", "device_to_host_memcpy_ce"),
            limit.get(),
            SiteTools::nvbandwidth));
    results.add(
        tool(
            "all_reduce_perf",
            List.of("-b", "8M", "-e", "256M", "-f", "2", "-g", String.valueOf(Math.max(1, gpus))),
            limit.get(),
            SiteTools::allReduce));
    results.add(pingpong(limit.get()));
    return results;
  }

  private Optional<Path> find(String tool) {
    return folders.stream()
        .map(folder -> folder.resolve(tool))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private ToolResult tool(String tool, List<String> words, TimeLimit limit, Parser parser)
      throws InterruptedException {
    Optional<Path> found = find(tool);
    if (found.isEmpty()) {
      return new ToolResult(tool, Outcome.NOT_TESTED, "not installed");
    }
    if (limit.isOver()) {
      return new ToolResult(tool, Outcome.NOT_TESTED, TimeLimit.NO_TIME);
    }
    List<String> command = new ArrayList<>(List.of(found.get().toString()));
    command.addAll(words);
    try {
      return ended(tool, new BoundedProcess(command, Map.of()).run(limit.time()), limit, parser);
    } catch (IOException failed) {
      return new ToolResult(tool, Outcome.NOT_TESTED, plain(String.valueOf(failed.getMessage())));
    }
  }

  private static ToolResult ended(String tool, Ended ended, TimeLimit limit, Parser parser) {
    return ended.killed()
        ? new ToolResult(tool, limit.outcome(), limit.missed())
        : parser.parse(tool, ended.output(), ended.code());
  }

  private static ToolResult dcgm(String tool, String output, int code) {
    List<String> failed = groups(DCGM_FAILED, output);
    List<String> passed = groups(DCGM_PASSED, output);
    if (!failed.isEmpty()) {
      return new ToolResult(tool, Outcome.FAILED, plain("failed: " + String.join(", ", failed)));
    }
    return code == 0 && !passed.isEmpty()
        ? new ToolResult(tool, Outcome.PASSED, passed.size() + " tests passed")
        : new ToolResult(tool, Outcome.NOT_TESTED, reason(output, code));
  }

  private static ToolResult nvbandwidth(String tool, String output, int code) {
    List<String> figures = new ArrayList<>();
    output
        .lines()
        .map(BANDWIDTH::matcher)
        .filter(Matcher::matches)
        .forEach(sum -> figures.add(sum.group(1) + " " + sum.group(2) + " GB/s"));
    return figures.isEmpty()
        ? new ToolResult(
            tool, code == 0 ? Outcome.NOT_TESTED : Outcome.FAILED, reason(output, code))
        : new ToolResult(
            tool,
            code == 0 ? Outcome.PASSED : Outcome.FAILED,
            plain("all GPUs together: " + String.join(", ", figures)));
  }

  private static ToolResult allReduce(String tool, String output, int code) {
    List<String> bus = groups(BUS, output);
    boolean wrong = groups(WRONG, output).stream().anyMatch(count -> !count.matches("0+"));
    if (wrong) {
      return new ToolResult(tool, Outcome.WRONG, "results out of bounds");
    }
    return code == 0 && !bus.isEmpty()
        ? new ToolResult(tool, Outcome.PASSED, "bus bandwidth " + bus.get(0) + " GB/s")
        : new ToolResult(
            tool, code == 0 ? Outcome.NOT_TESTED : Outcome.FAILED, reason(output, code));
  }

  /** Server and client on this node, through the EFA device and not through shared memory. */
  private ToolResult pingpong(TimeLimit limit) throws InterruptedException {
    String tool = "fi_pingpong";
    Optional<Path> found = find(tool);
    if (found.isEmpty() || limit.isOver()) {
      String why = found.isEmpty() ? "not installed" : TimeLimit.NO_TIME;
      return new ToolResult(tool, Outcome.NOT_TESTED, why);
    }
    List<String> server = List.of(found.get().toString(), "-p", "efa", "-e", "rdm");
    List<String> client = new ArrayList<>(server);
    client.add("127.0.0.1");
    Map<String, String> device = Map.of("FI_EFA_ENABLE_SHM_TRANSFER", "0");
    try {
      BoundedProcess.Running listening = new BoundedProcess(server, device).start();
      try {
        Thread.sleep(Math.min(2_000, limit.time().toMillis()));
        Ended ended = new BoundedProcess(client, device).run(limit.time());
        return ended(tool, ended, limit, SiteTools::pingpong);
      } finally {
        listening.close();
      }
    } catch (IOException failed) {
      return new ToolResult(tool, Outcome.NOT_TESTED, plain(String.valueOf(failed.getMessage())));
    }
  }

  private static ToolResult pingpong(String tool, String output, int code) {
    List<String> rates = groups(PINGPONG, output);
    if (code == 0 && !rates.isEmpty()) {
      return new ToolResult(
          tool, Outcome.PASSED, "largest messages " + rates.get(rates.size() - 1) + " MB/s");
    }
    // Without EFA the provider is missing, which is no fault of the node.
    boolean absent = output.contains("-61") || output.contains("No data available");
    return new ToolResult(
        tool, absent || code == 0 ? Outcome.NOT_TESTED : Outcome.FAILED, reason(output, code));
  }

  private static List<String> groups(Pattern pattern, String output) {
    return output
        .lines()
        .map(pattern::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  private static String reason(String output, int code) {
    String last = output.lines().filter(line -> !line.isBlank()).reduce("", (a, b) -> b);
    return plain("exit code " + code + (last.isEmpty() ? "" : ": " + last));
  }

  private static String plain(String text) {
    String ascii = text.replaceAll("[^ -~]", "?");
    return ascii.substring(0, Math.min(MAX_DETAIL, ascii.length()));
  }
}
