package io.lapwing.agent.deep;

import io.lapwing.agent.deep.BoundedProcess.Ended;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Starts a {@link GpuWorker} for each piece of work and reads its output. */
final class GpuTests {

  private static final List<DeepTest> ALONE =
      List.of(
          DeepTest.HOST_TO_DEVICE,
          DeepTest.DEVICE_TO_HOST,
          DeepTest.DEVICE_COPY,
          DeepTest.ARITHMETIC);

  private static final String NATIVE = "jna.boot.library.path";

  private final String nvml;
  private final String cuda;
  private final boolean force;

  /** {@code processes} is the number of compute processes. */
  record Listed(int index, String uuid, int processes, boolean mig, String model) {}

  record Listing(List<Listed> gpus, List<String> problems, boolean simulated) {
    /** The GPUs with compute processes, for a message. */
    List<Listed> busy() {
      return gpus.stream().filter(gpu -> gpu.processes() > 0).toList();
    }
  }

  /** Copies of one GPU to others: the rate by the peer's UUID, and those with wrong data. */
  record PeerCopies(
      Map<String, Double> rates, List<String> wrong, Outcome outcome, String detail) {}

  /** The libraries by name or path; {@code force}: also on GPUs with compute processes. */
  GpuTests(String nvml, String cuda, boolean force) {
    this.nvml = nvml;
    this.cuda = cuda;
    this.force = force;
  }

  /** The library with which a worker lists compute processes; empty for none. */
  private String guard() {
    return force ? "" : nvml;
  }

  /** A job started on a GPU after the list was made. */
  static final class BusyException extends Exception {
    private static final long serialVersionUID = 1L;

    BusyException(String uuid) {
      super(uuid);
    }
  }

  private static Ended requireIdle(Ended ended) throws BusyException {
    for (String line : ended.output().lines().toList()) {
      if (line.startsWith("busy ")) {
        throw new BusyException(line.substring("busy ".length()));
      }
    }
    return ended;
  }

  Listing list(Duration limit) throws InterruptedException {
    Ended ended = work(limit, Map.of(), GpuWorker.LIST, nvml);
    List<Listed> gpus = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    boolean simulated = false;
    for (String line : ended.output().lines().toList()) {
      String[] words = line.split(" ", 6);
      if (words[0].equals("gpu") && words.length == 6) {
        gpus.add(
            new Listed(
                Integer.parseInt(words[1]),
                words[2],
                Integer.parseInt(words[3]),
                words[4].equals("mig"),
                words[5]));
      } else if (line.startsWith("problem ")) {
        problems.add(line.substring("problem ".length()));
      }
      simulated |= line.equals("simulated");
    }
    if (ended.killed()) {
      problems.add("NVML did not answer within " + limit.toSeconds() + " s");
    } else if (ended.code() != 0) {
      problems.add("the process that reads NVML ended with " + ended.code());
    }
    return new Listing(gpus, problems, simulated);
  }

  /** The tests of one GPU by itself. */
  List<TestResult> alone(Listed gpu, TimeLimit limit) throws InterruptedException, BusyException {
    Ended ended =
        requireIdle(
            work(
                limit.time(),
                Map.of("CUDA_VISIBLE_DEVICES", gpu.uuid()),
                GpuWorker.TEST,
                guard(),
                cuda,
                gpu.uuid()));
    Map<DeepTest, TestResult> results = new EnumMap<>(DeepTest.class);
    Reading reading = new Reading(ended, limit);
    for (String line : ended.output().lines().toList()) {
      String[] words = line.split(" ", 5);
      if (words[0].equals("test") && words.length == 5) {
        DeepTest test = test(words[1]);
        boolean right = words[2].equals("right");
        results.put(
            test,
            new TestResult(
                test,
                right ? Outcome.PASSED : Outcome.WRONG,
                right ? OptionalDouble.of(Double.parseDouble(words[3])) : OptionalDouble.empty(),
                right ? "" : "results differ from those of the host"));
      } else if (words[0].equals("error")) {
        results.put(test(words[1]), reading.error(line));
      }
    }
    for (DeepTest test : ALONE) {
      results.computeIfAbsent(test, reading::unfinished);
    }
    return List.copyOf(results.values());
  }

  PeerCopies peers(Listed gpu, List<Listed> peers, TimeLimit limit)
      throws InterruptedException, BusyException {
    List<String> uuids = peers.stream().map(Listed::uuid).toList();
    List<String> words = new ArrayList<>(List.of(GpuWorker.PEERS, guard(), cuda, gpu.uuid()));
    words.addAll(uuids);
    Ended ended =
        work(
            limit.time(),
            Map.of("CUDA_VISIBLE_DEVICES", gpu.uuid() + "," + String.join(",", uuids)),
            words.toArray(String[]::new));
    requireIdle(ended);
    Map<String, Double> rates = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    Reading reading = new Reading(ended, limit);
    TestResult rest = reading.unfinished(DeepTest.PEER_COPY);
    boolean complete = false;
    for (String line : ended.output().lines().toList()) {
      String[] parts = line.split(" ", 5);
      if (parts[0].equals("test") && parts.length == 5) {
        rates.put(parts[4], Double.parseDouble(parts[3]));
        if (!parts[2].equals("right")) {
          wrong.add(parts[4]);
        }
      } else if (parts[0].equals("error")) {
        rest = reading.error(line);
        return new PeerCopies(rates, wrong, rest.outcome(), rest.detail());
      }
      complete |= line.equals("end " + DeepTest.PEER_COPY.text());
    }
    return complete
        ? new PeerCopies(rates, wrong, Outcome.PASSED, "")
        : new PeerCopies(rates, wrong, rest.outcome(), rest.detail());
  }

  private static DeepTest test(String word) {
    return DeepTest.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The result of tests without output, by the end of the process. */
  private static final class Reading {
    private final Ended ended;
    private final TimeLimit limit;
    private String last = "";
    private String problem = "";

    Reading(Ended ended, TimeLimit limit) {
      this.ended = ended;
      this.limit = limit;
      ended.output().lines().forEach(this::begin);
    }

    private void begin(String line) {
      if (line.startsWith("begin ")) {
        last = line.substring("begin ".length());
      } else if (line.startsWith("problem ")) {
        problem = line.substring("problem ".length());
      }
    }

    TestResult error(String line) {
      String[] words = line.split(" ", 4);
      return new TestResult(
          test(words[1]),
          words[2].equals("gpu") ? Outcome.FAILED : Outcome.NOT_TESTED,
          OptionalDouble.empty(),
          words[3]);
    }

    TestResult unfinished(DeepTest test) {
      if (!problem.isEmpty()) {
        return result(test, Outcome.NOT_TESTED, problem);
      }
      boolean running = last.isEmpty() || last.equals(test.text());
      if (ended.killed()) {
        return running || limit.shortened()
            ? result(test, limit.outcome(), limit.missed())
            : result(test, Outcome.NOT_TESTED, "an earlier test hung");
      }
      return ended.code() == 0
          ? result(test, Outcome.NOT_TESTED, "an earlier test failed")
          : running
              ? result(test, Outcome.FAILED, "the test's process ended with " + ended.code())
              : result(test, Outcome.NOT_TESTED, "an earlier test ended the process");
    }

    private static TestResult result(DeepTest test, Outcome outcome, String why) {
      return new TestResult(test, outcome, OptionalDouble.empty(), why);
    }
  }

  private static Ended work(Duration limit, Map<String, String> visible, String... words)
      throws InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/null",
            "-Djna.nosys=true"));
    // Packages have JNA's native half beside the jar.
    Optional.ofNullable(System.getProperty(NATIVE))
        .ifPresent(path -> command.add("-D" + NATIVE + "=" + path));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path", ""),
            "io.lapwing.agent.Main",
            GpuWorker.COMMAND));
    command.addAll(List.of(words));
    Map<String, String> environment = new HashMap<>(visible);
    environment.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    // Disables the PTX cache, which is in the user's home directory.
    environment.put("CUDA_CACHE_DISABLE", "1");
    try {
      return new BoundedProcess(command, environment).run(limit);
    } catch (IOException failed) {
      return new Ended(0, "problem " + failed.getMessage() + "\n", false);
    }
  }
}
