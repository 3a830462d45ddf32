package io.lapwing.bench.acceptance;

import io.lapwing.bench.gpu.LoadMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Constant arithmetic on GPUs, in a process of its own: {@link LoadMain}. */
final class GpuLoad implements AutoCloseable {

  private static final Duration RUNNING_WITHIN = Duration.ofMinutes(2);

  private final Process process;
  private final Path log;

  private GpuLoad(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Returns when each of these GPUs computes. Fails if one does not. */
  static GpuLoad start(String cudaLibrary, List<String> uuids, Path folder)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(cudaLibrary));
    arguments.addAll(uuids);
    Path log = folder.resolve("load.log");
    Process process =
        ChildJava.of(LoadMain.class.getName(), arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    GpuLoad load = new GpuLoad(process, log);
    try {
      load.awaitRunning(uuids);
    } catch (IOException failed) {
      load.close();
      throw failed;
    }
    return load;
  }

  private void awaitRunning(List<String> uuids) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + RUNNING_WITHIN.toNanos();
    while (true) {
      List<String> lines = Files.readAllLines(log);
      if (uuids.stream().allMatch(uuid -> lines.contains("running " + uuid))) {
        return;
      }
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IOException(
            "the load does not run: " + problem().orElse("see " + log.toAbsolutePath()));
      }
      Thread.sleep(100);
    }
  }

  /** Why it ended; empty while it runs. */
  Optional<String> problem() throws IOException {
    if (process.isAlive()) {
      return Optional.empty();
    }
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith("problem "))
        .map(line -> line.substring("problem ".length()))
        .findFirst()
        .or(() -> Optional.of("it ended with " + process.exitValue()));
  }

  /** Whether every result of this GPU was the host's. */
  boolean right(String uuid) throws IOException {
    return !Files.readAllLines(log).contains("wrong " + uuid);
  }

  /** A process in a call that hangs ends with the driver only; it is not waited for. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
