package io.lapwing.agent.deep;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.cli.CommandErrors;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.deep.GpuTests.BusyException;
import io.lapwing.agent.deep.GpuTests.Listed;
import io.lapwing.agent.deep.GpuTests.Listing;
import io.lapwing.agent.health.Verdict;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.deep.DeepResult;
import io.lapwing.deep.DeepResultFile;
import io.lapwing.deep.DeepResultJson;
import io.lapwing.nvml.JnaNvml;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code lapwing check --deep}. */
public record DeepCommand(Map<String, String> environment, PrintStream out, PrintStream err) {

  public static final String FLAG = "--deep";

  static final int UNKNOWN = 3;

  /** A GPU has compute processes. */
  static final int REFUSED = 4;

  private static final int USAGE = 64;

  /** Prints the result; the exit code is the verdict. */
  public int run(List<String> args) {
    try {
      return new CommandErrors(err, USAGE, UNKNOWN)
          .run("check " + FLAG, () -> deep(DeepRequest.parse(args)));
    } catch (RuntimeException | Error bug) {
      err.println("lapwing: the deep check failed: " + bug);
      return UNKNOWN;
    }
  }

  private int deep(DeepRequest request) throws ConfigException, InterruptedException {
    if (request.help()) {
      out.print(DeepRequest.HELP);
      return 0;
    }
    try {
      return run(request, settings(request.agentFlags()), Judgement.load(request.baseline()));
    } catch (BusyException busy) {
      return refused(busy.getMessage() + " has compute processes since the check began");
    }
  }

  private Settings settings(CommandLine.Rest flags) throws ConfigException {
    Invocation invocation = SettingsReader.read(flags, environment, CollectorGroup.collectors());
    if (invocation instanceof Invocation.Run run) {
      run.warnings().forEach(warning -> err.println("lapwing: " + warning));
      return run.settings();
    }
    throw new ConfigException(List.of("flags --version and --check-config: not valid for check"));
  }

  private int run(DeepRequest request, Settings settings, Judgement judgement)
      throws InterruptedException, BusyException {
    String nvml = settings.gpu().library().map(Path::toString).orElse(JnaNvml.DEFAULT_LIBRARY);
    SiteTools tools =
        request.tools()
            ? SiteTools.on(
                environment.getOrDefault("PATH", ""), request.toolsDir(), request.dcgmLevel())
            : new SiteTools(List.of(), request.dcgmLevel());
    DeepRun run =
        new DeepRun(
            new GpuTests(nvml, request.cuda(), request.force()),
            tools,
            request.eachGpu(),
            request.total(),
            System::nanoTime,
            InstantSource.system());
    Listing listing = run.list();
    listing.problems().forEach(problem -> err.println("lapwing: " + problem));
    if (!listing.busy().isEmpty() && !request.force()) {
      return refused(
          listing.busy().stream().map(DeepCommand::busy).collect(Collectors.joining("; ")));
    }
    // One that NVML cannot describe may have a job.
    if (listing.gpus().isEmpty() || (!listing.problems().isEmpty() && !request.force())) {
      err.println("lapwing: deep check: no GPU was tested");
      return UNKNOWN;
    }
    DeepResult result = run.run(listing, judgement);
    report(request, result, settings.paths().state());
    return code(DeepText.verdict(result));
  }

  private static String busy(Listed gpu) {
    return "GPU " + gpu.index() + " has compute processes: " + gpu.processes();
  }

  private int refused(String why) {
    err.println("lapwing: deep check refused: " + why + "; --force tests anyway");
    return REFUSED;
  }

  private void report(DeepRequest request, DeepResult result, Path state) {
    byte[] text = DeepText.of(result).getBytes(StandardCharsets.UTF_8);
    out.writeBytes(request.json() ? json(result) : text);
    out.flush();
    if (!Files.isDirectory(state)) {
      err.println("lapwing: deep check: no agent will show this: there is no directory " + state);
      return;
    }
    DeepResultFile file = new DeepResultFile(state);
    DeepResult kept = file.read().toOptional().map(result::keeping).orElse(result);
    try {
      file.write(json(kept));
    } catch (IOException denied) {
      err.println("lapwing: deep check: " + state + " cannot be written: " + denied);
    }
  }

  private static byte[] json(DeepResult result) {
    return DeepResultJson.write(result, DeepText.verdict(result).text());
  }

  private static int code(Verdict verdict) {
    return switch (verdict) {
      case HEALTHY -> 0;
      case DEGRADED -> 1;
      case FAILING -> 2;
      case UNKNOWN -> UNKNOWN;
    };
  }
}
