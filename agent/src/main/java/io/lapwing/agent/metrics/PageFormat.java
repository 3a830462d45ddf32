package io.lapwing.agent.metrics;

public enum PageFormat {
  /** Supported by every Prometheus since 2.0 and most other scrapers. */
  TEXT_0_0_4("text/plain; version=0.0.4; charset=utf-8"),
  OPENMETRICS_1_0_0("application/openmetrics-text; version=1.0.0; charset=utf-8");

  private final String contentType;

  PageFormat(String contentType) {
    this.contentType = contentType;
  }

  public String contentType() {
    return contentType;
  }
}
