package io.lapwing.agent.health;

import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidInfo.XidCall;
import java.util.Locale;

/** The source of the default dispositions. */
public enum Profile {
  /** AWS's advice for its fleets: replace what may fail again. */
  AWS("aws"),
  /** NVIDIA's Xid catalogue and memory-error guide. */
  NVIDIA("nvidia");

  private final String word;

  Profile(String word) {
    this.word = word;
  }

  public Disposition of(RuleSpec rule) {
    return this == AWS ? rule.aws() : rule.nvidia();
  }

  public Disposition of(XidInfo xid) {
    XidCall words = this == AWS ? xid.aws() : xid.nvidia();
    return new Disposition(
        Severity.valueOf(words.severity().toUpperCase(Locale.ROOT)),
        Action.valueOf(words.action().toUpperCase(Locale.ROOT)),
        Urgency.valueOf(words.urgency().toUpperCase(Locale.ROOT)));
  }

  @Override
  public String toString() {
    return word;
  }
}
