package io.lapwing.agent.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is served, and where.
 *
 * @param maxRequests scrapes in flight beyond which the next is answered 503; 0 for no limit
 * @param exporterMetrics whether the page carries the agent's own process, JVM and HTTP metrics
 * @param configFile who may ask, and through what: a file of exporter-toolkit's form; everybody in
 *     the clear where there is none
 */
public record WebSettings(
    List<ListenAddress> listenAddresses,
    String telemetryPath,
    int maxRequests,
    boolean exporterMetrics,
    Optional<Path> configFile) {

  public WebSettings {
    listenAddresses = List.copyOf(listenAddresses);
  }

  /** Open to everybody. */
  public WebSettings(
      List<ListenAddress> listenAddresses,
      String telemetryPath,
      int maxRequests,
      boolean exporterMetrics) {
    this(listenAddresses, telemetryPath, maxRequests, exporterMetrics, Optional.empty());
  }
}
