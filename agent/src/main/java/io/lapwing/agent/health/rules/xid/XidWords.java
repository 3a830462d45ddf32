package io.lapwing.agent.health.rules.xid;

/** The texts for an XID number. */
public interface XidWords {

  /** {@code GPU has fallen off the bus}. */
  String name(int number);

  /** The reason for the action, one sentence. */
  String why(int number);

  /** The source of the reason. */
  String document(int number);
}
