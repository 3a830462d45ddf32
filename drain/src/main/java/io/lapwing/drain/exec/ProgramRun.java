package io.lapwing.drain.exec;

import io.lapwing.drain.exec.Outcome.Exited;
import io.lapwing.drain.exec.Outcome.NotStarted;
import io.lapwing.drain.exec.Outcome.TimedOut;
import io.lapwing.drain.exec.Outcome.TooMuchOutput;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of a program. Reads only what is in the pipes already, so that neither a program that
 * hangs nor a child that keeps a pipe open holds the caller longer than the timeout. What an ended
 * program wrote is in the pipes, so its output is complete.
 */
public final class ProgramRun {

  /**
   * Pauses between looking for output, each twice as long as the one before; short ones again after
   * there was some: an answer of a megabyte comes in sixteen parts. An end is noticed at once.
   */
  private static final Duration SHORTEST_PAUSE = Duration.ofNanos(100_000);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  private final Command command;
  private final Process process;
  private final ByteArrayOutputStream output;
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[64 << 10];
  private long pause = SHORTEST_PAUSE.toNanos();

  private ProgramRun(Command command, Process process, ByteArrayOutputStream output) {
    this.command = command;
    this.process = process;
    this.output = output;
  }

  /** Runs a program to its end, or to its bounds. */
  public static Outcome of(Command command) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Outcome outcome = of(command, output);
    return outcome instanceof Exited exited
        ? new Exited(exited.code(), text(output), exited.errors())
        : outcome;
  }

  /** The same, whose output is found in memory of the caller: none is in the outcome. */
  public static Outcome of(Command command, ByteArrayOutputStream output) {
    ProcessBuilder builder = new ProcessBuilder(command.line()).directory(new File("/"));
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    builder.environment().put("LC_ALL", "C");
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new NotStarted(String.valueOf(e.getMessage()));
    }
    ProgramRun run = new ProgramRun(command, process, output);
    try {
      return run.end();
    } finally {
      run.kill();
    }
  }

  private Outcome end() {
    long end = System.nanoTime() + command.timeout().toNanos();
    write();
    boolean ended = false;
    while (true) {
      boolean more = read();
      if (output.size() + errors.size() > command.outputLimit()) {
        return new TooMuchOutput(command.outputLimit());
      }
      if (ended && !more) {
        return new Exited(process.exitValue(), "", text(errors));
      }
      if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
        return new TimedOut(command.timeout(), text(errors));
      }
      ended = ended || (!more && ended());
    }
  }

  /** A program that does not read its input is free not to. */
  private void write() {
    try (OutputStream input = process.getOutputStream()) {
      input.write(command.input().getBytes(StandardCharsets.UTF_8));
    } catch (IOException unread) {
      // Its exit code is the result.
    }
  }

  private boolean ended() {
    long nanos = pause;
    pause = Math.min(2 * nanos, LONGEST_PAUSE.toNanos());
    if (nanos < TimeUnit.MILLISECONDS.toNanos(1)) { // waitFor() counts in milliseconds.
      LockSupport.parkNanos(nanos);
      return !process.isAlive();
    }
    try {
      return process.waitFor(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether there was something to read. */
  private boolean read() {
    boolean moreOutput = read(process.getInputStream(), output);
    boolean moreErrors = read(process.getErrorStream(), errors);
    if (moreOutput || moreErrors) {
      pause = SHORTEST_PAUSE.toNanos();
    }
    return moreOutput || moreErrors;
  }

  private boolean read(InputStream pipe, ByteArrayOutputStream to) {
    try {
      int there = Math.min(pipe.available(), buffer.length);
      int count = there == 0 ? 0 : pipe.read(buffer, 0, there);
      to.write(buffer, 0, Math.max(count, 0));
      return count > 0;
    } catch (IOException closed) {
      return false;
    }
  }

  /**
   * Children first: those of an ended parent are no longer found, and the search reads every
   * process of the host.
   */
  private void kill() {
    if (!process.isAlive()) {
      return;
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
