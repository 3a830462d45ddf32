package io.lapwing.drain.remediation;

/**
 * Stores evidence that a repair would destroy: the agent's health and events, a bug report. Every
 * call ends within its timeout.
 */
public interface EvidenceStore {

  /** Before the repair of a remediation begins. */
  Result save(Remediation remediation);

  /** What came of it. */
  sealed interface Result {}

  /**
   * It is kept.
   *
   * @param where for people
   */
  record Saved(String where) implements Result {}

  /**
   * It is not, or not in full. Does not stop a repair.
   *
   * @param why for people
   */
  record NotSaved(String why) implements Result {}
}
