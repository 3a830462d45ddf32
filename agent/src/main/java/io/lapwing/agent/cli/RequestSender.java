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
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Waits for the agent, which checks every few seconds. */
  public static final RequestSender TO_AGENT = new RequestSender(RequestSender::awaitTaken);

  /** The agent, or its stand-in in tests. */
  interface Reader {

    /** Waits until the agent has read the request; false after a timeout. */
    boolean reads(PendingRequest request) throws InterruptedException;
  }

  /** What writes one request. */
  interface Writer {
    PendingRequest write(Path state) throws IOException;
  }

  /**
   * Writes a request and waits until the agent has read it. After a timeout the request is deleted:
   * an agent that starts later would carry it out.
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
      PendingRequest request = writer.write(state);
      if (agent.reads(request) || !request.withdraw()) {
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

  private static String elsewhere() {
    return ": does an agent run here, or with another --path.state?";
  }

  private static boolean awaitTaken(PendingRequest request) throws InterruptedException {
    long start = System.nanoTime();
    while (!request.isTaken()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        return false;
      }
      Thread.sleep(PAUSE.toMillis());
    }
    return true;
  }
}
