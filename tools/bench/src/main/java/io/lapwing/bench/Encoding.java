package io.lapwing.bench;

/** The encodings to request; Prometheus requests gzip. */
public enum Encoding {
  PLAIN("plain", ""),
  GZIP("gzip", "Accept-Encoding: gzip\r\n");

  private final String label;
  private final String header;

  Encoding(String label, String header) {
    this.label = label;
    this.header = header;
  }

  String label() {
    return label;
  }

  byte[] request(String path) {
    String text =
        "GET " + path + " HTTP/1.1\r\nHost: bench\r\nUser-Agent: bench\r\n" + header + "\r\n";
    return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }
}
