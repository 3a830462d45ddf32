package io.lapwing.agent.corpus;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The verdict of an experienced operator on a node, or that of the agent, in the same form: {@code
 * failing replace_node now: xid_79 gpu:3, gpu_lost gpu:3}.
 *
 * @param action {@code NONE} for a healthy node, whatever its findings suggest to an application
 * @param causes findings that are not merely {@code info}; in a label the first is the root cause,
 *     and those after {@code also} may be absent
 */
record Label(
    Verdict verdict, Action action, Optional<Urgency> urgency, List<String> causes, int required) {

  static final Label HEALTHY = new Label(Verdict.HEALTHY, Action.NONE, Optional.empty(), List.of());

  Label(Verdict verdict, Action action, Optional<Urgency> urgency, List<String> causes) {
    this(verdict, action, urgency, causes, causes.size());
  }

  Label {
    causes = List.copyOf(causes);
  }

  static Label parse(String text) {
    String[] halves = text.split(":\\s+", 2);
    String[] words = halves[0].trim().split("\\s+", -1);
    if (words.length == 1 && words[0].equals("healthy")) {
      return HEALTHY;
    }
    if (words.length != 3) {
      throw new IllegalArgumentException("not VERDICT ACTION URGENCY: " + text);
    }
    String[] named = halves.length < 2 ? new String[] {""} : halves[1].split("\\balso\\b", 2);
    List<String> causes = new ArrayList<>(list(named[0]));
    int required = causes.size();
    if (named.length > 1) {
      causes.addAll(list(named[1]));
    }
    return new Label(
        Verdict.of(Severity.valueOf(words[0].toUpperCase(Locale.ROOT))),
        Action.valueOf(words[1].toUpperCase(Locale.ROOT)),
        Optional.of(Urgency.valueOf(words[2].toUpperCase(Locale.ROOT))),
        causes,
        required);
  }

  private static List<String> list(String causes) {
    return Arrays.stream(causes.split(",", -1))
        .map(String::strip)
        .filter(cause -> !cause.isEmpty())
        .toList();
  }

  /** How a judgement compares with this label. */
  Outcome compare(Label judged) {
    int harder = judged.action.compareTo(action);
    harder = harder == 0 ? judged.verdict.compareTo(verdict) : harder;
    harder = harder == 0 ? urgent(judged) - urgent(this) : harder;
    if (harder != 0) {
      return harder < 0 ? Outcome.KEPT : Outcome.TAKEN;
    }
    boolean all = judged.causes.containsAll(causes.subList(0, required));
    return all && causes.containsAll(judged.causes) ? Outcome.RIGHT : Outcome.WRONG_CAUSE;
  }

  private static int urgent(Label label) {
    return label.urgency.filter(Urgency.NOW::equals).isPresent() ? 1 : 0;
  }

  @Override
  public String toString() {
    if (verdict == Verdict.HEALTHY) {
      return "healthy";
    }
    return "%s %s %s: %s"
        .formatted(
            verdict.text(),
            action.text(),
            urgency.map(Urgency::text).orElse("-"),
            String.join(", ", causes));
  }
}
