package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Settings of the training job from the state lines: one synchronous rank on every GPU, so that no
 * rank starts a step before the slowest has finished the previous one.
 *
 * @param job Slurm job id
 * @param data seconds of a step that a rank waits for data
 * @param compute seconds of computation
 * @param communication seconds of communication after the last rank has arrived
 * @param checkpoint seconds of a checkpoint
 * @param durable seconds from the end of a checkpoint until it is durable
 * @param checkpointEvery steps between checkpoints; 0 for never
 * @param tokens per GPU and step
 * @param nodes of the job, of which this is one
 * @param plugin whether the ranks have loaded aws-ofi-nccl
 * @param stopped whether communication hangs, so that every rank is stuck in its step
 * @param uneven share by which one rank computes longer, in each step another one
 * @param slower factor of the computation time by rank
 * @param runDelay share of the time that the process of a rank waits for a processor
 */
record TrainingSettings(
    String job,
    double data,
    double compute,
    double communication,
    double checkpoint,
    double durable,
    int checkpointEvery,
    int tokens,
    int nodes,
    boolean plugin,
    boolean stopped,
    double uneven,
    List<Double> slower,
    List<Double> runDelay) {

  private static final String PREFIX = "training.";
  static final String JOB = PREFIX + "job";
  private static final String RUN_DELAY = ".run_delay";
  private static final Pattern OF_RANK =
      Pattern.compile("training\\.(\\*|\\d{1,2})\\.(slower|run_delay)");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,2}(\\.\\d{1,6})?");
  private static final Pattern WHOLE = Pattern.compile("\\d{1,7}");
  private static final Pattern SHARE = Pattern.compile("0(\\.\\d{1,3})?|1");
  private static final Pattern FACTOR = Pattern.compile("(?!0+(\\.0+)?$)\\d{1,2}(\\.\\d{1,3})?");

  /** Half a second per step, with four fifths of computation. */
  private static final Map<String, String> PRESETS =
      Map.of(
          "training.data", "0.01",
          "training.compute", "0.4",
          "training.communication", "0.09",
          "training.checkpoint", "1.5",
          "training.durable", "0",
          "training.checkpoint_every", "240",
          "training.nodes", "1",
          "training.aws_ofi_nccl", "1",
          "training.uneven", "0",
          "training.stopped", "0");

  TrainingSettings {
    slower = List.copyOf(slower);
    runDelay = List.copyOf(runDelay);
  }

  /** Whether a line configures the job. */
  static boolean isOfTraining(String key) {
    return key.startsWith(PREFIX);
  }

  /** The rank of a line for a single rank, which is also the number of its GPU. */
  static OptionalInt rank(String key) {
    Matcher of = OF_RANK.matcher(key);
    return of.matches() && !of.group(1).equals("*")
        ? OptionalInt.of(Integer.parseInt(of.group(1)))
        : OptionalInt.empty();
  }

  /** The error in a line for the job. */
  static Optional<String> problem(String key, String value) {
    return switch (key) {
      case JOB -> unless(value.matches("\\d{1,9}"), value, "a job's number such as 4711");
      case "training.data", "training.compute", "training.communication", "training.checkpoint" ->
          unless(SECONDS.matcher(value).matches(), value, "seconds from 0 to 99 such as 0.4");
      case "training.durable" ->
          unless(
              value.matches("\\d{1,4}(\\.\\d{1,3})?"), value, "seconds from 0 to 9999 such as 90");
      case "training.uneven" ->
          unless(SECONDS.matcher(value).matches(), value, "a share such as 0.8");
      case "training.checkpoint_every", "training.tokens" ->
          unless(WHOLE.matcher(value).matches(), value, "a whole number from 0 to 9999999");
      case "training.nodes" ->
          unless(value.matches("[1-9]\\d{0,3}"), value, "a number of nodes such as 2");
      case "training.stopped", "training.aws_ofi_nccl" ->
          unless(value.matches("[01]"), value, "0 or 1");
      default ->
          OF_RANK.matcher(key).matches()
              ? problemOfRank(key, value)
              : Optional.of("is not a line about a training job");
    };
  }

  private static Optional<String> problemOfRank(String key, String value) {
    return key.endsWith(RUN_DELAY)
        ? unless(SHARE.matcher(value).matches(), value, "a share from 0 to 1 such as 0.4")
        : unless(FACTOR.matcher(value).matches(), value, "a factor such as 1.4");
  }

  private static Optional<String> unless(boolean holds, String value, String what) {
    return holds ? Optional.empty() : Optional.of("'" + value + "' is not " + what);
  }

  /** Empty if no job runs. */
  static Optional<TrainingSettings> of(Map<String, String> lines, InstanceType type) {
    List<Double> slower = new ArrayList<>(Collections.nCopies(type.gpuCount(), 1.0));
    List<Double> runDelay = new ArrayList<>(Collections.nCopies(type.gpuCount(), 0.0));
    lines.forEach(
        (key, value) -> {
          if (isOfTraining(key)) {
            require(key, value);
            put(key.endsWith(RUN_DELAY) ? runDelay : slower, key, value);
          }
        });
    return Optional.ofNullable(lines.get(JOB))
        .map(
            job ->
                new TrainingSettings(
                    job,
                    seconds(lines, "training.data"),
                    seconds(lines, "training.compute"),
                    seconds(lines, "training.communication"),
                    seconds(lines, "training.checkpoint"),
                    seconds(lines, "training.durable"),
                    (int) seconds(lines, "training.checkpoint_every"),
                    Integer.parseInt(
                        lines.getOrDefault(
                            "training.tokens", Integer.toString(type.gpu().tokensOfStep()))),
                    (int) seconds(lines, "training.nodes"),
                    seconds(lines, "training.aws_ofi_nccl") == 1,
                    seconds(lines, "training.stopped") == 1,
                    seconds(lines, "training.uneven"),
                    slower,
                    runDelay));
  }

  private static void require(String key, String value) {
    Optional<String> problem = problem(key, value);
    if (problem.isPresent()) {
      throw new IllegalArgumentException(key + ": " + problem.get());
    }
  }

  private static void put(List<Double> ofRanks, String key, String value) {
    if (!OF_RANK.matcher(key).matches()) {
      return;
    }
    OptionalInt rank = rank(key);
    if (rank.isEmpty()) {
      Collections.fill(ofRanks, Double.parseDouble(value));
    } else if (rank.getAsInt() < ofRanks.size()) {
      ofRanks.set(rank.getAsInt(), Double.parseDouble(value));
    } else {
      throw new IllegalArgumentException(key + ": this node has " + ofRanks.size() + " GPUs");
    }
  }

  private static double seconds(Map<String, String> lines, String key) {
    return Double.parseDouble(lines.getOrDefault(key, PRESETS.getOrDefault(key, "0")));
  }

  /** In the input format of the program that runs the ranks: {@code data=0.01 compute=0.4 ...}. */
  String order() {
    String each = slower.stream().map(TrainingSettings::text).collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        "data=%s compute=%s communication=%s checkpoint=%s durable=%s every=%d tokens=%d stopped=%d"
            + " uneven=%s slower=%s",
        text(data),
        text(compute),
        text(communication),
        text(checkpoint),
        text(durable),
        checkpointEvery,
        tokens,
        stopped ? 1 : 0,
        text(uneven),
        each);
  }

  private static String text(double number) {
    return String.format(Locale.ROOT, "%.6f", number);
  }

  /** A boot ends the job. */
  static void restart(StateFile state) {
    for (String key : List.copyOf(state.lines().keySet())) {
      if (isOfTraining(key)) {
        state.remove(key);
      }
    }
  }
}
