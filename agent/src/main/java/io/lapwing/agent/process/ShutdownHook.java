package io.lapwing.agent.process;

import java.time.Duration;

/**
 * The end of the process, within its time: what hangs in a driver or on a disk must not keep it,
 * nor the service manager waiting. Runs as a shutdown hook.
 *
 * @param closing what is to be closed, the most important first
 */
public record ShutdownHook(Runnable closing) implements Runnable {

  /** The JVM needs a moment of its own afterwards, to wait for threads that are in native code. */
  private static final Duration LIMIT = Duration.ofMillis(1_500);

  /** What a JVM returns that was told to end: 128 and the number of SIGTERM. */
  private static final int TOLD_TO_END = 143;

  @Override
  public void run() {
    Thread patience = new Thread(ShutdownHook::halt, "shutdown-limit");
    patience.setDaemon(true);
    patience.start();
    closing.run();
  }

  private static void halt() {
    try {
      Thread.sleep(LIMIT.toMillis());
      Runtime.getRuntime().halt(TOLD_TO_END);
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
  }
}
