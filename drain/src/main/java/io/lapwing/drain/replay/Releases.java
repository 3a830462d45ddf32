package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes after their return, by the record.
 *
 * @param returned how many came back
 * @param cameBack of these had a fault within a day
 * @param unfinished of these had none, and their record ends within that day
 * @param quiet had none for a day
 * @param falseDrains of the quiet: nor does the record show a repair by which the fault ended, so
 *     that it would have been over without one
 */
public record Releases(int returned, int cameBack, int unfinished, int quiet, int falseDrains) {

  private static final Duration DAY = Duration.ofDays(1);

  static Releases of(Recording recording, Collection<Course> courses) {
    Map<NodeName, RecordedNode> nodes = new HashMap<>();
    recording.nodes().forEach(node -> nodes.put(node.name(), node));
    Releases all = new Releases(0, 0, 0, 0, 0);
    for (Course course : courses) {
      RecordedNode node = nodes.get(course.last().node());
      if (course.released().isPresent() && course.drained().isPresent() && node != null) {
        all = all.and(node, course.drained().get(), course.released().get(), recording.until());
      }
    }
    return all;
  }

  private Releases and(RecordedNode node, Instant drained, Instant released, Instant until) {
    Span day = new Span(released, released.plus(DAY));
    boolean fault =
        node.findings().stream()
            .flatMap(finding -> finding.takesNodeAt().stream())
            .anyMatch(day::contains);
    boolean ends = !fault && day.end().isAfter(until);
    boolean calm = !fault && !ends;
    boolean repaired =
        !node.logged() || open(node, drained).stream().anyMatch(one -> one.closedBy().isPresent());
    return new Releases(
        returned + 1,
        cameBack + (fault ? 1 : 0),
        unfinished + (ends ? 1 : 0),
        quiet + (calm ? 1 : 0),
        falseDrains + (calm && !repaired ? 1 : 0));
  }

  private static List<Finding> open(RecordedNode node, Instant at) {
    return node.findings().stream().filter(finding -> finding.openAt(at)).toList();
  }
}
