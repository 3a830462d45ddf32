package io.lapwing.common.process;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Runs a startup read with a timeout: a hung disk or kernel file must not block the start. */
public final class StartupProbe {

  /** Far above the latency of a healthy disk, below the start timeout of a service manager. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private StartupProbe() {}

  /**
   * Runs the task on its own thread; empty on a timeout, which abandons the thread. Throws what it
   * throws.
   */
  public static <T> Optional<T> run(String name, Supplier<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread = new Thread(() -> complete(task, result), "startup-" + name);
    thread.setDaemon(true);
    thread.start();
    try {
      return Optional.of(result.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException timeout) {
      return Optional.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failed.getCause());
    }
  }

  private static <T> void complete(Supplier<T> task, CompletableFuture<T> result) {
    try {
      result.complete(task.get());
    } catch (RuntimeException | Error failed) {
      result.completeExceptionally(failed);
    }
  }
}
