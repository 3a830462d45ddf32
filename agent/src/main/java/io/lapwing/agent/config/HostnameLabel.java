package io.lapwing.agent.config;

import java.util.Optional;

/** The name of the host name label on GPU series. */
public enum HostnameLabel {
  /** {@code Hostname}, as in dcgm-exporter. */
  CAPITAL("Hostname"),
  LOWER("hostname"),
  NONE("none");

  private final String word;

  HostnameLabel(String word) {
    this.word = word;
  }

  /** The label name; empty if series have no such label. */
  public Optional<String> label() {
    return this == NONE ? Optional.empty() : Optional.of(word);
  }

  /** The value in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
