package io.lapwing.agent.config;

import java.util.Optional;

/** How the node's name is spelled as a label of GPU series. */
public enum HostnameLabel {
  /** {@code Hostname}, as dcgm-exporter has it. */
  CAPITAL("Hostname"),
  LOWER("hostname"),
  NONE("none");

  private final String word;

  HostnameLabel(String word) {
    this.word = word;
  }

  /** The label's name; empty when series carry none. */
  public Optional<String> label() {
    return this == NONE ? Optional.empty() : Optional.of(word);
  }

  /** The word in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
