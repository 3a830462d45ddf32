package io.lapwing.agent.process;

import io.lapwing.agent.log.Log;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * SIGHUP, as {@code systemctl reload} sends it. As many as come while one is dealt with count as
 * one.
 *
 * <p>Nothing but {@code sun.misc.Signal} hears it. Reached by name, since the compiler's warning of
 * that class can be switched off for no single file.
 */
public final class SighupListener {

  private static final Log LOG = Log.of(SighupListener.class);

  private final Semaphore asked = new Semaphore(0);

  private SighupListener() {}

  /** From now on SIGHUP does not end the process. */
  public static SighupListener listen() {
    SighupListener hangUp = new SighupListener();
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ear =
          Proxy.newProxyInstance(
              SighupListener.class.getClassLoader(),
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

  /** Waits for the next signal. Several that arrive before the call count as one. */
  public void await() throws InterruptedException {
    asked.acquire();
    asked.drainPermits();
  }
}
