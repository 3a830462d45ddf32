package io.lapwing.agent.web.security;

import io.lapwing.agent.config.TlsConfig.Curve;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLParameters;

/**
 * The key exchange groups. Configurable per connection since Java 20; older versions read a system
 * property once per process.
 */
final class Curves {
  private static final String PROPERTY = "jdk.tls.namedGroups";
  private static final int PER_CONNECTION_SINCE = 20;

  private Curves() {}

  /** Must be called before the first use of TLS in this process. */
  static void prepare(List<Curve> curves) {
    if (!perConnection() && !curves.isEmpty() && System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, text(curves));
    }
  }

  /** Whether these curves can take effect without a restart. */
  static boolean applicable(List<Curve> curves) {
    return perConnection() || curves.isEmpty() || text(curves).equals(System.getProperty(PROPERTY));
  }

  static void use(List<Curve> curves, SSLParameters parameters) {
    if (!perConnection() || curves.isEmpty()) {
      return;
    }
    try {
      // Reflection: the agent is compiled for Java 17.
      Method groups = SSLParameters.class.getMethod("setNamedGroups", String[].class);
      groups.invoke(parameters, (Object) curves.stream().map(Curve::java).toArray(String[]::new));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("SSLParameters.setNamedGroups is missing", e);
    }
  }

  private static boolean perConnection() {
    return Runtime.version().feature() >= PER_CONNECTION_SINCE;
  }

  private static String text(List<Curve> curves) {
    return curves.stream().map(Curve::java).collect(Collectors.joining(","));
  }
}
