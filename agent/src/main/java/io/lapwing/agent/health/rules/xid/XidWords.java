package io.lapwing.agent.health.rules.xid;

/** What is to be said of an XID number. */
public interface XidWords {

  /** {@code GPU has fallen off the bus}. */
  String name(int number);

  /** Why the action is what it is, one sentence. */
  String why(int number);

  /** What says so. */
  String document(int number);
}
