package io.lapwing.agent.process;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What has to be read before there is a page, with an end: a disk or a kernel file that hangs must
 * not keep the agent from starting, for it is there to tell of that.
 */
public final class StartupProbe {

  /** Far above what a disk that works takes, and below what a service manager waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private StartupProbe() {}

  /**
   * Asks on a thread of its own, which is left to itself where it does not come back.
   *
   * @return empty then
   * @throws RuntimeException that the question threw
   */
  public static <T> Optional<T> at(String what, Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread thread = new Thread(() -> answer(question, answer), "first-look-" + what);
    thread.setDaemon(true);
    thread.start();
    try {
      return Optional.of(answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException hangs) {
      return Optional.empty();
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException bug
          ? bug
          : new IllegalStateException(failed.getCause());
    }
  }

  private static <T> void answer(Supplier<T> question, CompletableFuture<T> answer) {
    try {
      answer.complete(question.get());
    } catch (RuntimeException | Error failed) {
      answer.completeExceptionally(failed);
    }
  }
}
