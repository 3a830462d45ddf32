package io.lapwing.stack.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process that prints a line when it is ready. */
final class Started implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final Path log;
  private final Thread shutdownHook;

  private Started(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.shutdownHook = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  static Started start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    // Remove the user's settings of the agent.
    builder.environment().keySet().removeIf(name -> name.startsWith("LAPWING_"));
    return new Started(builder.start(), log);
  }

  /** Waits for the pattern in the output; returns its first group. */
  String await(Pattern pattern) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      Matcher matcher = pattern.matcher(Files.readString(log));
      if (matcher.find()) {
        return matcher.group(1);
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new IOException("it did not say " + pattern + " but: " + Files.readString(log));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IllegalStateException endsAnyway) {
      // This JVM is exiting; the hook runs.
    }
  }
}
