package io.lapwing.agent.health;

import io.lapwing.metric.LabelWord;

/** When the action is due, mildest first. */
public enum Urgency implements LabelWord {
  /** After the running job. */
  JOB_END,
  NOW;
}
