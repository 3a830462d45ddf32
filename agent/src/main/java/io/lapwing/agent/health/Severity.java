package io.lapwing.agent.health;

import io.lapwing.metric.LabelWord;

/** The effect of a finding on the verdict, mildest first. */
public enum Severity implements LabelWord {
  INFO,
  DEGRADED,
  /** Something cannot be read that should be. */
  UNKNOWN,
  FAILING;
}
