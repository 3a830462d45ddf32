package io.lapwing.dashboards;

import java.util.List;
import java.util.Locale;

/** Scales of several dashboards. */
final class Scales {

  /** Of {@code instance:lapwing_node_verdict:code}. */
  static final Scale VERDICT =
      Scale.below("green")
          .from("yellow", 1)
          .from("purple", 2)
          .from("red", 3)
          .word(0, "healthy", "green")
          .word(1, "degraded", "yellow")
          .word(2, "unknown", "purple")
          .word(3, "failing", "red");

  /** Of the number of a severity, as {@link Verdicts#findings} counts it. */
  static final Scale SEVERITY_CODE =
      Scale.below("blue")
          .from("yellow", 1)
          .from("purple", 2)
          .from("red", 3)
          .word(0, "info", "blue")
          .word(1, "degraded", "yellow")
          .word(2, "unknown", "purple")
          .word(3, "failing", "red");

  /** Of the label {@code severity}. */
  static final Scale SEVERITY =
      Scale.PLAIN
          .word("failing", "failing", "red")
          .word("unknown", "unknown", "purple")
          .word("degraded", "degraded", "yellow")
          .word("info", "info", "blue");

  /** Of the label {@code severity} of alerts. */
  static final Scale ALERT =
      Scale.PLAIN
          .word("critical", "critical", "red")
          .word("warning", "warning", "orange")
          .word("info", "info", "blue");

  static final Scale YES_IS_GOOD =
      Scale.below("red").from("green", 1).word(0, "no", "red").word(1, "yes", "green");

  static final Scale YES_IS_BAD = Scale.rising(1).word(0, "no", "green").word(1, "yes", "red");

  private static final List<String> ACTIONS =
      List.of(
          "none",
          "watch",
          "restart app",
          "restart service",
          "reset GPU",
          "reboot node",
          "replace node");

  private static final List<String> COLORS =
      List.of("green", "blue", "yellow", "yellow", "yellow", "orange", "red");

  /** Of the label {@code action}. */
  static final Scale ACTION = actions();

  /** Of {@code instance:lapwing_node_action:code}. */
  static final Scale ACTION_CODE = ranks(false);

  /** Ten times the verdict's code plus the action's code; 29 is a node that does not answer. */
  static final Scale URGENCY = ranks(true).word(29, "no answer: check it", "purple");

  private Scales() {}

  private static Scale actions() {
    Scale scale = Scale.PLAIN;
    for (int i = 0; i < ACTIONS.size(); i++) {
      String label = ACTIONS.get(i).toLowerCase(Locale.ROOT).replace(' ', '_');
      scale = scale.word(label, ACTIONS.get(i), COLORS.get(i));
    }
    return scale;
  }

  private static Scale ranks(boolean withVerdict) {
    Scale scale = Scale.PLAIN;
    for (Scale.Word verdict : withVerdict ? VERDICT.words() : VERDICT.words().subList(0, 1)) {
      for (int i = 0; i < ACTIONS.size(); i++) {
        long rank = 10 * Long.parseLong(verdict.value()) + i;
        String word = withVerdict ? verdict.text() + ": " + ACTIONS.get(i) : ACTIONS.get(i);
        scale = scale.word(rank, word, i == 0 ? verdict.color() : COLORS.get(i));
      }
    }
    return scale;
  }
}
