package io.lapwing.agent.health;

import io.lapwing.xid.XidCall;
import io.lapwing.xid.XidInfo;
import java.util.Locale;

/** Whose advice a policy starts from. */
public enum Profile {
  /** What AWS advises for its fleets: what may come back is replaced. */
  AWS("aws"),
  /** What NVIDIA's Xid catalogue and memory-error guide say. */
  NVIDIA("nvidia");

  private final String word;

  Profile(String word) {
    this.word = word;
  }

  /** What a rule's finding means. */
  public Disposition of(RuleSpec rule) {
    return this == AWS ? rule.aws() : rule.nvidia();
  }

  /** What an XID means. */
  public Disposition of(XidInfo xid) {
    XidCall words = this == AWS ? xid.aws() : xid.nvidia();
    return new Disposition(
        Severity.valueOf(words.severity().toUpperCase(Locale.ROOT)),
        Action.valueOf(words.action().toUpperCase(Locale.ROOT)),
        Urgency.valueOf(words.urgency().toUpperCase(Locale.ROOT)));
  }

  /** The word in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
