package io.lapwing.agent.config;

import java.util.List;

/**
 * What is served, and where.
 *
 * @param maxRequests scrapes in flight beyond which the next is answered 503; 0 for no limit
 * @param exporterMetrics whether the page carries the agent's own process, JVM and HTTP metrics
 */
public record WebSettings(
    List<ListenAddress> listenAddresses,
    String telemetryPath,
    int maxRequests,
    boolean exporterMetrics) {

  public WebSettings {
    listenAddresses = List.copyOf(listenAddresses);
  }
}
