package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.journal.Journal;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Remediation;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Follows the controller in a replay: a journal that keeps what came of each remediation. */
final class Tally implements Journal {

  private final Map<String, Course> courses = new LinkedHashMap<>();
  private final Map<String, Limit> limits = new TreeMap<>();

  /** A limit that stood against an action at some time. */
  private static final class Limit {
    private final Set<String> held = new HashSet<>();
    private long trips;
    private boolean closed;
  }

  @Override
  public void append(Entry entry) {
    courses.computeIfAbsent(entry.state().id(), any -> new Course(entry.state())).take(entry);
  }

  @Override
  public void forEach(Consumer<Entry> reader) {
    // Nothing was decided before.
  }

  @Override
  public void compact(Instant now) {}

  /** What the controller waits for now. */
  void observe(Controller controller) {
    Map<NodeName, Remediation> open = controller.open();
    controller
        .waiting()
        .forEach(
            (node, waiting) -> {
              Remediation one = open.get(node);
              if (waiting.person() && one != null) {
                course(one).person();
              }
            });
    Map<String, Set<String>> against = new TreeMap<>();
    controller
        .objections()
        .forEach(
            (node, objections) -> {
              Remediation one = open.get(node);
              if (one != null) {
                for (Objection objection : objections) {
                  against.computeIfAbsent(objection.limit(), any -> new HashSet<>()).add(one.id());
                }
              }
            });
    against.keySet().forEach(limit -> limits.computeIfAbsent(limit, any -> new Limit()));
    limits.forEach(
        (name, limit) -> {
          Set<String> now = against.getOrDefault(name, Set.of());
          limit.trips += !now.isEmpty() && !limit.closed ? 1 : 0;
          limit.closed = !now.isEmpty();
          limit.held.addAll(now);
        });
  }

  private Course course(Remediation one) {
    return courses.computeIfAbsent(one.id(), any -> new Course(one));
  }

  Collection<Course> courses() {
    return Collections.unmodifiableCollection(courses.values());
  }

  Map<String, BrakeTrips> brakes() {
    Map<String, BrakeTrips> brakes = new TreeMap<>();
    limits.forEach(
        (name, limit) -> brakes.put(name, new BrakeTrips(limit.trips, limit.held.size())));
    return brakes;
  }
}
