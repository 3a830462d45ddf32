package io.lapwing.xid;

import java.util.Set;

/**
 * The severity, action and urgency of an XID under one profile, as words of the table. The agent
 * interprets them; here they are only validated.
 *
 * @param severity {@code info}, {@code degraded}, {@code unknown} or {@code failing}
 * @param action {@code none}, {@code watch}, {@code restart_app}, {@code reset_gpu}, {@code
 *     reboot_node} or {@code replace_node}
 * @param urgency {@code now} or {@code job_end}
 */
public record XidCall(String severity, String action, String urgency) {

  static final Set<String> SEVERITIES = Set.of("info", "degraded", "unknown", "failing");
  static final Set<String> ACTIONS =
      Set.of("none", "watch", "restart_app", "reset_gpu", "reboot_node", "replace_node");
  static final Set<String> URGENCIES = Set.of("now", "job_end");

  private static final Set<String> INTERVENTIONS =
      Set.of("reset_gpu", "reboot_node", "replace_node");

  public XidCall {
    known(severity, SEVERITIES);
    known(action, ACTIONS);
    known(urgency, URGENCIES);
  }

  /** Whether a GPU or a node has to be reset or replaced. */
  boolean intervenes() {
    return INTERVENTIONS.contains(action);
  }

  private static void known(String word, Set<String> words) {
    if (!words.contains(word)) {
      throw new IllegalArgumentException("'" + word + "' is not one of " + words);
    }
  }
}
