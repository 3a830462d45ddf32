package io.lapwing.agent.cli;

import io.lapwing.agent.health.engine.PendingRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Sends requests of an operator to the agent, by files in the state directory, which only root and
 * the agent's user may write.
 */
public record RequestSender(Reader agent) {

  private static final int FAILED = 1;
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(27);
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Waits for the agent, which checks every few seconds. */
  public static final RequestSender TO_AGENT = new RequestSender(RequestSender::awaitTaken);

  /** The agent, or its stand-in in tests. */
  interface Reader {

    /** Waits until the agent has read the request; false after a timeout. */
    boolean reads(PendingRequest request, Duration atMost) throws InterruptedException;
  }

  /** What writes one request. */
  interface Writer {
    PendingRequest write(Path state) throws IOException;
  }

  /**
   * Writes a request and waits until the agent has read it. After a timeout or a signal the request
   * is deleted: an agent that starts soon would carry it out.
   *
   * @param command for messages
   * @return the exit code
   */
  int send(String command, Path state, Writer writer, PrintStream err) throws InterruptedException {
    String name = "lapwing: " + command + ": ";
    if (!Files.isDirectory(state)) {
      err.println(name + "there is no state directory " + state + elsewhere());
      return FAILED;
    }
    try {
      if (isRead(writer.write(state), name + "waiting for an agent to read " + state, err)) {
        return 0;
      }
      err.println(name + "no agent reads requests in " + state + "; withdrawn" + elsewhere());
    } catch (AccessDeniedException denied) {
      err.println(name + "no permission to write " + denied.getFile() + "; use sudo");
    } catch (IOException failed) {
      err.println(name + state + " cannot be written: " + failed);
    }
    return FAILED;
  }

  private boolean isRead(PendingRequest request, String waiting, PrintStream err)
      throws IOException, InterruptedException {
    Thread interrupted = new Thread(() -> withdrawQuietly(request));
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      if (agent.reads(request, SOON)) {
        return true;
      }
      err.println(waiting + elsewhere());
      return agent.reads(request, PATIENCE) || !request.withdraw();
    } finally {
      removeHook(interrupted);
    }
  }

  private static void withdrawQuietly(PendingRequest request) {
    try {
      request.withdraw();
    } catch (IOException left) {
      // The agent does not carry out old requests.
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shutsDown) {
      // It runs.
    }
  }

  private static String elsewhere() {
    return ": does an agent run here, or with another --path.state?";
  }

  private static boolean awaitTaken(PendingRequest request, Duration atMost)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!request.isTaken()) {
      if (System.nanoTime() - start > atMost.toNanos()) {
        return false;
      }
      Thread.sleep(PAUSE.toMillis());
    }
    return true;
  }
}
