package io.lapwing.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that runs until closed and logs its address. It is stopped at the exit of this JVM,
 * unless that is killed.
 */
final class ServerProcess implements AutoCloseable {

  /** Generous, for machines with two busy cores. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration GRACE = Duration.ofSeconds(10);

  private final String name;
  private final Process process;
  private final Path log;
  private final Thread shutdownHook;

  private ServerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.shutdownHook =
        new Thread(() -> process.destroyForcibly().onExit().join(), "end-of-" + name);
  }

  /** Starts it in a folder, with its log in {@code NAME.log}. */
  static ServerProcess start(String name, Path folder, List<String> command) {
    Path log = folder.resolve(name + ".log");
    try {
      Files.createDirectories(folder);
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      // The agent reads flags from these variables.
      builder.environment().keySet().removeIf(variable -> variable.startsWith("LAPWING_"));
      Process process = builder.start();
      process.getOutputStream().close();
      ServerProcess server = new ServerProcess(name, process, log);
      Runtime.getRuntime().addShutdownHook(server.shutdownHook);
      return server;
    } catch (IOException e) {
      throw new ServerException(name + " does not start", e);
    }
  }

  /** Waits for a line in its log; returns the first group of the pattern. */
  String awaitLogged(Pattern pattern) {
    return await(
        "log " + pattern,
        () -> {
          Matcher matcher = pattern.matcher(log());
          return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        });
  }

  /** Its API, when it is ready. */
  HttpJson awaitReady(URI address, String path) {
    HttpJson http = new HttpJson(name, address, this::log);
    await("become ready", () -> http.answers(path) ? Optional.of(true) : Optional.empty());
    return http;
  }

  private <T> T await(String what, Supplier<Optional<T>> attempt) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      Optional<T> got = attempt.get();
      if (got.isPresent()) {
        return got.get();
      }
      pause();
    }
    String trouble = process.isAlive() ? " does not " + what : " exited";
    close();
    throw new ServerException(name + trouble + "; its log:\n" + log());
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
    forgetLastWill();
  }

  long pid() {
    return process.pid();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGTERM, then SIGKILL if it does not exit. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    forgetLastWill();
  }

  private void forgetLastWill() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // The hook already runs.
    }
  }
}
