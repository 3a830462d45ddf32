package io.lapwing.simulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processes of a training job: a program that runs the ranks, and the ranks, which write step
 * records as any training loop does.
 *
 * <p>The program reads the properties of a step from its input, one line each, and exits with its
 * ranks at the end of input, also if this process is killed. It prints each rank with its process
 * id, and later the ranks that exited.
 */
final class TrainingJob implements AutoCloseable {
  /** Below the node's root; the agent's folder of step files. */
  static final String STEPS = "run/lapwing/steps";

  private static final Pattern RANK = Pattern.compile("rank (\\d{1,3}) (\\d{1,9})");
  private static final Pattern GONE = Pattern.compile("gone (\\d{1,9})");

  /** 8e9 parameters and six operations each, forward and backward. */
  private static final String FLOPS_PER_TOKEN = "4.8e10";

  /** A rank that is still alive after this is killed. */
  private static final long ENDS_WITHIN_SECONDS = 3;

  private final Process program;
  private final BufferedReader said;
  private final Writer input;
  private final Path steps;
  private final SlurmJob job;

  private TrainingJob(Process program, BufferedReader said, Path steps, SlurmJob job) {
    this.program = program;
    this.said = said;
    this.input = program.outputWriter(StandardCharsets.US_ASCII);
    this.steps = steps;
    this.job = job;
  }

  /**
   * Starts the ranks, which wait for the first {@link #tell}.
   *
   * @param dir of the node
   * @param wanted the job as it starts
   * @param uuids of the GPUs, of which each gets a rank
   * @param writers in the order to try
   * @throws IOException if no writer runs here
   */
  static TrainingJob start(
      Path dir, TrainingSettings wanted, List<String> uuids, List<StepsWriter> writers)
      throws IOException {
    IOException last = new IOException("no writer of step records was given");
    for (StepsWriter writer : writers) {
      try {
        return start(writer.program(dir), dir.resolve(STEPS), wanted, uuids);
      } catch (IOException e) {
        e.addSuppressed(last);
        last = e;
      }
    }
    throw last;
  }

  private static TrainingJob start(
      ProcessBuilder program, Path steps, TrainingSettings wanted, List<String> uuids)
      throws IOException {
    Files.createDirectories(steps);
    program
        .command()
        .addAll(List.of(wanted.job(), FLOPS_PER_TOKEN, Integer.toString(wanted.nodes())));
    program.command().addAll(uuids);
    program.environment().put("LAPWING_STEPS_DIR", steps.toString());
    Process process = program.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said = process.inputReader(StandardCharsets.US_ASCII);
    try {
      List<JobRank> ranks = ranks(said, uuids.size());
      SlurmJob job = new SlurmJob(wanted.job(), wanted.nodes(), wanted.plugin(), ranks);
      return new TrainingJob(process, said, steps, job);
    } catch (IOException e) {
      process.getOutputStream().close();
      throw new IOException(program.command().get(0) + " does not run the ranks of a job", e);
    }
  }

  private static List<JobRank> ranks(BufferedReader said, int count) throws IOException {
    List<JobRank> ranks = new ArrayList<>();
    while (ranks.size() < count) {
      String line = String.valueOf(said.readLine());
      Matcher rank = RANK.matcher(line);
      if (!rank.matches()) {
        throw new IOException("it says '" + line + "' where a rank is to be named");
      }
      ranks.add(JobRank.of(Integer.parseInt(rank.group(1)), Long.parseLong(rank.group(2))));
    }
    return ranks;
  }

  SlurmJob job() {
    return job;
  }

  /** Sets the properties of the next steps. */
  void tell(TrainingSettings settings) {
    try {
      input.write(settings.order() + "\n");
      input.flush();
    } catch (IOException e) {
      // The program has exited; the watcher reports it.
    }
  }

  /** Receives every rank that exits before the job is closed, on a separate thread. */
  void watch(LongConsumer ended) {
    Thread thread = new Thread(() -> listen(ended), "training-job");
    thread.setDaemon(true);
    thread.start();
  }

  private void listen(LongConsumer ended) {
    try {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        Matcher gone = GONE.matcher(line);
        if (gone.matches()) {
          ended.accept(Long.parseLong(gone.group(1)));
        }
      }
    } catch (IOException e) {
      // The program has exited.
    }
    job.ranks().forEach(rank -> ended.accept(rank.pid()));
  }

  /** Returns when all processes and files of the job are gone. */
  @Override
  public void close() {
    try {
      input.close();
      if (!program.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        program.destroyForcibly().waitFor();
      }
      job.ranks().forEach(JobRank::kill);
      removeFiles();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes the files of killed ranks. */
  private void removeFiles() throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(steps, "{,.}" + job.id() + ".*")) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    }
  }
}
