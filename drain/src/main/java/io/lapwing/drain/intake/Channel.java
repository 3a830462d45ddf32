package io.lapwing.drain.intake;

import java.util.Locale;

/** How a request comes. */
public enum Channel {
  ALERTMANAGER,
  SNS,
  SQS,
  OPERATOR,
  AGENT;

  /** As a label value: {@code alertmanager}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
