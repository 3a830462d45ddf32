package io.lapwing.common.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Receives SIGHUP; signals during a reload count as one. {@code sun.misc.Signal} by reflection:
 * javac's warning cannot be suppressed for a single file.
 */
public final class SighupListener {

  private final Semaphore received = new Semaphore(0);
  private final Optional<String> unavailable;

  private SighupListener() {
    unavailable = install();
  }

  /** Installs the handler, so that SIGHUP does not end the process. */
  public static SighupListener listen() {
    return new SighupListener();
  }

  /**
   * Why no signal can be received; empty if it can. SIGHUP then keeps its earlier effect, if any.
   */
  public Optional<String> unavailable() {
    return unavailable;
  }

  /** Returns the reason if the handler cannot be installed. */
  private Optional<String> install() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              SighupListener.class.getClassLoader(), new Class<?>[] {handler}, this::invoke);
      Object previous =
          signal
              .getMethod("handle", signal, handler)
              .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
      // The JVM leaves an ignored SIGHUP ignored, and reports that only as the previous handler.
      return handler.getField("SIG_IGN").get(null).equals(previous)
          ? Optional.of("SIGHUP was ignored at the start, as under nohup")
          : Optional.empty();
    } catch (InvocationTargetException refused) {
      // Such as under -Xrs.
      return Optional.of(String.valueOf(refused.getCause()));
    } catch (ReflectiveOperationException missing) {
      return Optional.of(String.valueOf(missing));
    }
  }

  private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) {
    return switch (method.getName()) {
      case "equals" -> args != null && proxy == args[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "SIGHUP handler";
      default -> {
        received.release();
        yield null;
      }
    };
  }

  /**
   * Waits for the next signal, and returns false if none arrives in time. Several that arrive
   * before the call count as one.
   */
  public boolean await(Duration limit) throws InterruptedException {
    boolean signalled = received.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
    if (signalled) {
      received.drainPermits();
    }
    return signalled;
  }
}
