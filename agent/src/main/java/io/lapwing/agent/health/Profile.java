package io.lapwing.agent.health;

import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidInfo.XidCall;
import java.util.Locale;

/** The source of the default dispositions and thresholds. */
public enum Profile {
  /** AWS's advice for its fleets: replace what may fail again. */
  AWS("aws"),
  /** NVIDIA's Xid catalogue and memory-error guide. */
  NVIDIA("nvidia"),
  /**
   * NVIDIA's, but replaces GPUs that a reset does not repair: a failed remap, memory without spare
   * rows, a second uncorrectable row in a month. For sites where another node is hard to get.
   */
  BALANCED("balanced");

  private final String word;

  Profile(String word) {
    this.word = word;
  }

  public Disposition of(RuleSpec rule) {
    return switch (this) {
      case AWS -> rule.aws();
      case NVIDIA -> rule.nvidia();
      case BALANCED -> rule.balanced();
    };
  }

  public Disposition of(XidInfo xid) {
    XidCall words =
        switch (this) {
          case AWS -> xid.aws();
          case NVIDIA -> xid.nvidia();
          case BALANCED -> xid.balanced();
        };
    return new Disposition(
        Severity.valueOf(words.severity().toUpperCase(Locale.ROOT)),
        Action.valueOf(words.action().toUpperCase(Locale.ROOT)),
        Urgency.valueOf(words.urgency().toUpperCase(Locale.ROOT)));
  }

  double of(RuleSpec.Threshold threshold) {
    return this == BALANCED ? threshold.balanced().orElse(threshold.preset()) : threshold.preset();
  }

  @Override
  public String toString() {
    return word;
  }
}
