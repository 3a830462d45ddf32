package io.lapwing.drain.decisions;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.ControllerState;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Answers queries of operators from the journal and the state of the controller. */
public final class DecisionLog {

  private DecisionLog() {}

  /** What goes on. */
  public static Status status(ControllerState state) {
    List<OpenRemediation> open =
        state.open().values().stream()
            .map(one -> OpenRemediation.of(one, state))
            .sorted(
                Comparator.comparing((OpenRemediation one) -> !one.person())
                    .thenComparing(one -> one.remediation().phase(), Comparator.reverseOrder())
                    .thenComparing(one -> one.remediation().opened())
                    .thenComparing(one -> one.remediation().node()))
            .toList();
    Map<Phase, Integer> phases = new EnumMap<>(Phase.class);
    open.forEach(one -> phases.merge(one.remediation().phase(), 1, Integer::sum));
    return new Status(state.at(), state.blind(), state.stopped(), open, phases, calls(state, open));
  }

  private static List<String> calls(ControllerState state, List<OpenRemediation> open) {
    List<String> calls = new ArrayList<>();
    state.storms().stream().map(Objection::toString).forEach(calls::add);
    for (OpenRemediation one : open) {
      if (one.person()) {
        calls.add(one.remediation().node() + ": " + one.waitsFor().orElse(""));
      }
    }
    for (NodeState orphan : state.orphans()) {
      calls.add(
          orphan.name()
              + ": taken with the reason "
              + orphan.mark().orElse(orphan.reason())
              + ", which is not in this journal; return it by hand when its agent says that it may"
              + " work");
    }
    state
        .uncompacted()
        .map(why -> "the journal could not be compacted: " + why)
        .ifPresent(calls::add);
    return calls;
  }

  /** Why a node is as it is. */
  public static Explanation explain(NodeName node, List<Entry> journal, ControllerState state) {
    Optional<Remediation> open = Optional.ofNullable(state.open().get(node));
    List<Course> courses = new ArrayList<>(courses(journal, entry -> node.equals(entry.node())));
    Collections.reverse(courses);
    return new Explanation(node, open.map(one -> OpenRemediation.of(one, state)), courses);
  }

  /**
   * The decisions since a time, latest first.
   *
   * @param most how many
   */
  public static List<Decision> history(List<Entry> journal, Instant since, int most) {
    List<Decision> latest = new ArrayList<>();
    for (int i = journal.size() - 1; i >= 0 && latest.size() < most; i--) {
      if (!journal.get(i).at().isBefore(since)) {
        latest.add(Decision.of(journal.get(i)));
      }
    }
    return latest;
  }

  private static List<Course> courses(List<Entry> journal, Predicate<Remediation> which) {
    Map<String, List<Decision>> decisions = new LinkedHashMap<>();
    Map<String, Remediation> last = new LinkedHashMap<>();
    for (Entry entry : journal) {
      Remediation state = entry.state();
      if (which.test(state)) {
        decisions.computeIfAbsent(state.id(), any -> new ArrayList<>()).add(Decision.of(entry));
        last.put(state.id(), state);
      }
    }
    return last.entrySet().stream()
        .map(one -> new Course(one.getValue(), decisions.getOrDefault(one.getKey(), List.of())))
        .toList();
  }
}
