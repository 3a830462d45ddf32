package io.lapwing.simulator;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code simulate}: writes a node, prints the agent's flags for it, and plays a scenario. */
@Command(
    name = "simulate",
    description = "Writes a simulated GPU node into a folder.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SimulateMain implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--instance-type",
      defaultValue = "p5.48xlarge",
      description = "EC2 instance type; default ${DEFAULT-VALUE}.")
  private String instanceType = "";

  @Option(
      names = "--scenario",
      defaultValue = "healthy",
      description = "A scenario from --list, or a YAML file; default ${DEFAULT-VALUE}.")
  private String scenario = "";

  @Option(
      names = "--recording",
      description =
          "A file of tools/bench/gpu-acceptance --record: its GPUs, in place of an instance type.")
  private @Nullable Path recording;

  @Option(
      names = "--out",
      description = "Folder for the node: new, empty, or with an earlier node, which is replaced.")
  private @Nullable Path out;

  @Option(
      names = "--library-variant",
      defaultValue = "new",
      description = "Driver version of the library: new, mid, old or empty.")
  private Variant variant = Variant.NEW;

  @Option(
      names = "--steps-writer",
      description =
          "Step writer of a training job's ranks: python or c; default: the first that runs.")
  private @Nullable StepsWriter stepsWriter;

  @Option(names = "--play", description = "Play the scenario until stopped.")
  private boolean play;

  @Option(names = "--list", description = "List the scenarios.")
  private boolean list;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new SimulateMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(SimulateMain::complain);
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter print = spec().commandLine().getOut();
    if (list) {
      Scenario.all().forEach(s -> print.printf("%-22s %s%n", s.name(), s.summary()));
      return 0;
    }
    Optional<Recording> recorded = recorded();
    InstanceType type =
        recorded
            .map(Recording::type)
            .orElseGet(() -> wanted(() -> InstanceType.named(instanceType)));
    Scenario chosen = chosenScenario();
    checkSize(type, chosen);
    if (out == null) {
      throw wrong("--out is missing: the folder to write the node into");
    }
    Path folder = out;
    run(
        folder,
        () ->
            recorded.isPresent()
                ? SimulatedNode.create(folder, recorded.get())
                : SimulatedNode.create(folder, type, variant),
        chosen,
        print);
    return 0;
  }

  @SuppressWarnings("try") // the folder is claimed until the node ends
  private void run(Path folder, Supplier<SimulatedNode> node, Scenario chosen, PrintWriter print)
      throws InterruptedException, IOException {
    try (NodeFolder claimed = claim(folder)) {
      ScenarioPlayer player = new ScenarioPlayer(create(folder, node), chosen);
      player.begin();
      if (play) {
        play(player, print);
      } else {
        printFlags(player, print);
      }
    }
  }

  private void play(ScenarioPlayer player, PrintWriter print) throws InterruptedException {
    // With a constant uptime a reader would detect repeated boots.
    try (PassingTime time = player.node().letTimePass();
        JobRun job = jobOf(player.node())) {
      // A signal ends this process without returning here.
      Runtime.getRuntime().addShutdownHook(new Thread(job::close, "end-of-job"));
      // Not earlier: counters that start to move get new files, and a reader may keep the old ones
      // open.
      printFlags(player, print);
      player.play();
      time.join();
    }
  }

  private JobRun jobOf(SimulatedNode node) {
    try {
      return node.letJobRun(stepsWriter == null ? StepsWriter.PREFERRED : List.of(stepsWriter));
    } catch (UncheckedIOException e) {
      throw wrong("the training job cannot run: " + reason(e.getCause()));
    }
  }

  private static void printFlags(ScenarioPlayer player, PrintWriter print) {
    print.println(player.node().agentFlags());
    print.flush();
  }

  private void checkSize(InstanceType type, Scenario chosen) {
    checkLines(type, chosen);
    if (chosen.gpusNeeded() > type.gpuCount()) {
      throw wrong(
          "scenario %s needs %d GPUs, %s has %d"
              .formatted(chosen.name(), chosen.gpusNeeded(), type.name(), type.gpuCount()));
    }
    if (chosen.efaDevicesNeeded() > type.efaCount()) {
      throw wrong(
          "scenario %s needs %d EFA devices, %s has %d"
              .formatted(chosen.name(), chosen.efaDevicesNeeded(), type.name(), type.efaCount()));
    }
  }

  private void checkLines(InstanceType type, Scenario chosen) {
    chosen
        .problemOn(type)
        .ifPresent(
            problem -> {
              throw wrong("scenario %s: %s".formatted(scenario, problem));
            });
  }

  private NodeFolder claim(Path folder) {
    try {
      return NodeFolder.claim(folder);
    } catch (NodeFolder.Refused e) {
      throw wrong(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw wrong(folder + " cannot be written: " + reason(e));
    }
  }

  private SimulatedNode create(Path folder, Supplier<SimulatedNode> node) {
    try {
      return node.get();
    } catch (UncheckedIOException e) {
      throw wrong(folder + " cannot be written: " + reason(e.getCause()));
    }
  }

  private Optional<Recording> recorded() {
    Path file = recording;
    if (file == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Recording.read(file));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw wrong(file + " cannot be read: " + reason(e));
    }
  }

  /** A scenario by name, or from a file if the text looks like a path. */
  private Scenario chosenScenario() {
    if (scenario.endsWith(".yaml") || scenario.endsWith(".yml") || scenario.contains("/")) {
      try {
        return Scenario.read(Path.of(scenario));
      } catch (ScenarioException e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
    }
    return wanted(() -> Scenario.named(scenario));
  }

  private <T> T wanted(Supplier<T> named) {
    try {
      return named.get();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("picocli has not set the command up");
    }
    return spec;
  }

  /** A message such as "/x: Permission denied" instead of an exception class. */
  private static String reason(@Nullable IOException e) {
    if (e instanceof FileSystemException file) {
      String reason = file.getReason() == null ? file.getClass().getSimpleName() : file.getReason();
      return file.getFile() + ": " + reason;
    }
    return String.valueOf(e == null ? null : e.getMessage());
  }

  /** Prints one line instead of the whole usage. */
  private static int complain(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("simulate: " + e.getMessage());
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }
}
