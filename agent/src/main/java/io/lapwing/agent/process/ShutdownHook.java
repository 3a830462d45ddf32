package io.lapwing.agent.process;

import java.time.Duration;

/**
 * Shuts down within a time limit, even if a thread hangs in a driver or on a disk.
 *
 * @param closing closes all resources, most important first
 */
public record ShutdownHook(Runnable closing) implements Runnable {

  /** Leaves time for the JVM to wait for threads in native code. */
  private static final Duration LIMIT = Duration.ofMillis(1_500);

  /** The exit status of a JVM after SIGTERM: 128 plus the signal number. */
  private static final int SIGTERM_STATUS = 143;

  @Override
  public void run() {
    Thread limit = new Thread(ShutdownHook::halt, "shutdown-limit");
    limit.setDaemon(true);
    limit.start();
    closing.run();
  }

  private static void halt() {
    try {
      Thread.sleep(LIMIT.toMillis());
      Runtime.getRuntime().halt(SIGTERM_STATUS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
