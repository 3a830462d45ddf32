package io.lapwing.agent;

import io.lapwing.agent.log.Log;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * SIGHUP, as {@code systemctl reload} sends it. As many as come while one is dealt with count as
 * one.
 *
 * <p>Nothing but {@code sun.misc.Signal} hears it. Reached by name, since the compiler's warning of
 * that class can be switched off for no single file.
 */
final class HangUp {

  private static final Log LOG = Log.of(HangUp.class);

  private final Semaphore asked = new Semaphore(0);

  private HangUp() {}

  /** From now on SIGHUP does not end the process. */
  static HangUp listen() {
    HangUp hangUp = new HangUp();
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ear =
          Proxy.newProxyInstance(
              HangUp.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, args) -> hangUp.answer(self, method, args));
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), ear);
    } catch (ReflectiveOperationException none) {
      LOG.warn("SIGHUP is not heard: changes take a restart", "why", String.valueOf(none));
    }
    return hangUp;
  }

  private @Nullable Object answer(Object self, Method method, Object @Nullable [] args) {
    return switch (method.getName()) {
      case "equals" -> args != null && self == args[0];
      case "hashCode" -> System.identityHashCode(self);
      case "toString" -> "the ear for SIGHUP";
      default -> {
        asked.release();
        yield null;
      }
    };
  }

  /** Waits for the next; false if none came in that time. */
  boolean await(Duration limit) throws InterruptedException {
    boolean came = asked.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS);
    asked.drainPermits();
    return came;
  }
}
