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
import java.util.concurrent.TimeUnit;

/**
 * One run of a program. Reads only what is in the pipes already, so that neither a program that
 * hangs nor a child that keeps a pipe open holds the caller longer than the timeout. What an ended
 * program wrote is in the pipes, so its output is complete.
 */
public final class ProgramRun {

  /** An end is noticed at once: these are the pauses between looking for output. */
  private static final int LONGEST_PAUSE_MILLIS = 250;

  private final Command command;
  private final Process process;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final byte[] buffer = new byte[64 << 10];
  private int pauseMillis = 4;

  private ProgramRun(Command command, Process process) {
    this.command = command;
    this.process = process;
  }

  /** Runs a program to its end, or to its bounds. */
  public static Outcome of(Command command) {
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
    ProgramRun run = new ProgramRun(command, process);
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
        return new Exited(process.exitValue(), text(output), text(errors));
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
      // Its exit code says what came of it.
    }
  }

  private boolean ended() {
    pauseMillis = Math.min(pauseMillis + 1, LONGEST_PAUSE_MILLIS);
    try {
      return process.waitFor(pauseMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether there was something to read. */
  private boolean read() {
    boolean moreOutput = read(process.getInputStream(), output);
    boolean moreErrors = read(process.getErrorStream(), errors);
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

  /** Children first: those of a dead parent are no longer found. */
  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
