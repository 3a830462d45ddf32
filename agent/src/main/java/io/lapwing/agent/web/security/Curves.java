package io.lapwing.agent.web.security;

import io.lapwing.agent.config.TlsConfig.Curve;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLParameters;

/**
 * Which groups are used for the key exchange. Since Java 20 each connection can have its own;
 * before, they are a property of the whole process that Java looks at once.
 */
final class Curves {
  private static final String PROPERTY = "jdk.tls.namedGroups";
  private static final int EACH_CONNECTION_SINCE = 20;

  private Curves() {}

  /** To be called before the first use of TLS in this process. */
  static void prepare(List<Curve> curves) {
    if (!eachConnection() && !curves.isEmpty() && System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, text(curves));
    }
  }

  /** Whether these can be used now. */
  static boolean possible(List<Curve> curves) {
    return eachConnection()
        || curves.isEmpty()
        || text(curves).equals(System.getProperty(PROPERTY));
  }

  static void use(List<Curve> curves, SSLParameters parameters) {
    if (!eachConnection() || curves.isEmpty()) {
      return;
    }
    try {
      // The agent is compiled for Java 17, which lacks it.
      Method groups = SSLParameters.class.getMethod("setNamedGroups", String[].class);
      groups.invoke(parameters, (Object) curves.stream().map(Curve::java).toArray(String[]::new));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java lacks what every Java since 20 has", e);
    }
  }

  private static boolean eachConnection() {
    return Runtime.version().feature() >= EACH_CONNECTION_SINCE;
  }

  private static String text(List<Curve> curves) {
    return curves.stream().map(Curve::java).collect(Collectors.joining(","));
  }
}
