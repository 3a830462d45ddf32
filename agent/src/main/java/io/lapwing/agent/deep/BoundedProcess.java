package io.lapwing.agent.deep;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program that may hang: within a time, with bounded output. It is killed with its
 * descendants. One in uninterruptible sleep survives that and is abandoned.
 */
record BoundedProcess(List<String> command, Map<String, String> environment) {

  private static final int MAX_BYTES = 256 * 1024;
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  /**
   * No user can create it. In the default directory, /tmp/nvidia-mps, any user can run a control
   * daemon that never answers; without one CUDA does not use MPS.
   */
  private static final String NO_MPS = "/proc/lapwing-without-mps";

  BoundedProcess {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /**
   * The result of a program.
   *
   * @param code the exit code; meaningless if it was killed
   * @param output standard output and error, truncated at 256 KiB
   * @param killed whether it did not end in time
   */
  record Ended(int code, String output, boolean killed) {}

  /** Starts the program; throws if that is impossible. */
  Running start() throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    // Only the variables set here select the GPUs of the program.
    builder.environment().remove("CUDA_VISIBLE_DEVICES");
    builder.environment().put("CUDA_MPS_PIPE_DIRECTORY", NO_MPS);
    builder.environment().putAll(environment);
    return new Running(builder.start());
  }

  Ended run(Duration limit) throws IOException, InterruptedException {
    try (Running running = start()) {
      return running.await(limit);
    }
  }

  static final class Running implements AutoCloseable {
    private final Process process;
    private final Thread reader;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private Running(Process process) {
      this.process = process;
      this.reader = new Thread(this::read, "deep-check-output");
      reader.setDaemon(true);
      reader.start();
    }

    Ended await(Duration limit) throws InterruptedException {
      boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (ended) {
        // Before close(), which closes the pipe and drops its content.
        reader.join(LAST_OUTPUT.toMillis());
      }
      close();
      reader.join(LAST_OUTPUT.toMillis());
      return new Ended(
          ended ? process.exitValue() : -1, output.toString(StandardCharsets.UTF_8), !ended);
    }

    /** Reads on beyond the limit, so that the program does not block on a full pipe. */
    private void read() {
      byte[] block = new byte[8192];
      try (InputStream in = process.getInputStream()) {
        for (int got = in.read(block); got >= 0; got = in.read(block)) {
          if (output.size() < MAX_BYTES) {
            output.write(block, 0, got);
          }
        }
      } catch (IOException closed) {
        // It was killed; its earlier output counts.
      }
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
