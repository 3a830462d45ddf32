package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Operations.Maintenance;
import io.lapwing.agent.health.Operations.Release;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.common.log.Log;
import io.lapwing.metric.LabelWord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The active operations of operators. Its state comes only from events, so that it continues after
 * a restart. Used by one thread.
 */
final class OperationTracker {

  static final int MAX_TESTS = 8;

  private static final Log LOG = Log.of(OperationTracker.class);
  private static final String ENDED = "ended by an operator";
  private static final String OVER = "its time is over";
  private static final String CLOCK = "the clock was set back";

  private final Function<String, Optional<Disposition>> dispositions;
  private final Map<List<String>, Event.TestFinding> tests = new LinkedHashMap<>();
  private Optional<Maintenance> maintenance = Optional.empty();
  private Optional<Release> released = Optional.empty();

  /** {@code dispositions}: of the findings of a rule, empty if there is no such rule. */
  OperationTracker(Function<String, Optional<Disposition>> dispositions, List<Event> restored) {
    this.dispositions = dispositions;
    restore(restored);
  }

  /** Continues from the whole history. */
  void restore(List<Event> history) {
    tests.clear();
    maintenance = Optional.empty();
    released = Optional.empty();
    history.forEach(this::apply);
  }

  /** Starts requested operations and ends expired ones; returns both as events. */
  List<Event> update(Instant now, List<OperatorRequest> requests, NodeSnapshot view) {
    List<Event> events = new ArrayList<>();
    for (OperatorRequest request : requests) {
      for (Event event : events(now, request, view)) {
        apply(event);
        events.add(event);
      }
    }
    for (Event event : expired(now)) {
      apply(event);
      events.add(event);
    }
    return events;
  }

  /** Whether one ends by then. */
  boolean endsBy(Instant then) {
    return Stream.of(
            maintenance.stream().map(Maintenance::until),
            released.stream().map(Release::until),
            tests.values().stream().map(Event.TestFinding::until))
        .flatMap(Function.identity())
        .anyMatch(until -> !until.isAfter(then));
  }

  Operations now() {
    return new Operations(
        maintenance, released, tests.values().stream().map(OperationTracker::test).toList());
  }

  private List<Event> events(Instant now, OperatorRequest request, NodeSnapshot view) {
    if (request instanceof OperatorRequest.StartMaintenance start) {
      return until(now, start.until(), OperatorRequest.MAX_MAINTENANCE)
          .<Event>map(until -> new Event.MaintenanceStarted(now, until, start.note()))
          .stream()
          .toList();
    }
    if (request instanceof OperatorRequest.ReleaseGpus release) {
      return until(now, release.until(), OperatorRequest.MAX_RELEASE)
          .<Event>map(until -> new Event.GpusReleased(now, until))
          .stream()
          .toList();
    }
    if (request instanceof OperatorRequest.StartTest test) {
      return started(now, test, view).stream().toList();
    }
    if (request instanceof OperatorRequest.EndMaintenance) {
      return maintenance.stream()
          .<Event>map(any -> new Event.MaintenanceEnded(now, ENDED))
          .toList();
    }
    return request instanceof OperatorRequest.ReopenGpus
        ? released.stream().<Event>map(any -> new Event.GpusReopened(now, ENDED)).toList()
        : tests.values().stream().map(test -> ended(now, test, ENDED)).toList();
  }

  /** Within the limit; empty if it is over already, as after a long stop of the agent. */
  private static Optional<Instant> until(Instant now, Instant wanted, Duration limit) {
    Instant latest = now.plus(limit);
    return Optional.of(wanted.isAfter(latest) ? latest : wanted).filter(now::isBefore);
  }

  private Optional<Event> started(Instant now, OperatorRequest.StartTest test, NodeSnapshot view) {
    Optional<Instant> until = until(now, test.until(), OperatorRequest.MAX_TEST);
    Optional<Disposition> usual = dispositions.apply(test.rule());
    Optional<String> subject = subject(test.subject(), view);
    Optional<Severity> severity = severity(test.severity(), usual);
    if (usual.isEmpty()) {
      return refused(test, "there is no such rule");
    }
    if (subject.isEmpty()) {
      return refused(test, "the node has no such GPU, or it was not read yet");
    }
    if (until.isEmpty() || severity.isEmpty()) {
      return refused(test, until.isEmpty() ? "its time is over" : "there is no such severity");
    }
    boolean more = !tests.containsKey(List.of(test.rule(), subject.get()));
    if (more && tests.size() >= MAX_TESTS) {
      return refused(test, MAX_TESTS + " test findings are open, which is the limit");
    }
    return Optional.of(
        new Event.TestFinding(
            now,
            until.get(),
            test.rule(),
            subject.get(),
            severity.get().text(),
            usual.get().action().text(),
            usual.get().urgency().text()));
  }

  private static Optional<Event> refused(OperatorRequest.StartTest test, String why) {
    LOG.warn(
        "a test finding was refused", "rule", test.rule(), "subject", test.subject(), "why", why);
    return Optional.empty();
  }

  /** Operators write {@code gpu:3} or {@code gpu:GPU-...}; nothing means the node. */
  private static Optional<String> subject(String text, NodeSnapshot view) {
    return text.isEmpty()
        ? Optional.of(Subject.NODE.text())
        : view.gpus().stream()
            .filter(gpu -> text.equals("gpu:" + gpu.index()) || text.equals(gpu.subject().text()))
            .map(GpuStatus::subject)
            .map(Subject::text)
            .findFirst();
  }

  private static Optional<Severity> severity(String text, Optional<Disposition> usual) {
    return text.isEmpty()
        ? usual.map(Disposition::severity)
        : Arrays.stream(Severity.values()).filter(one -> one.text().equals(text)).findFirst();
  }

  private List<Event> expired(Instant now) {
    List<Event> events = new ArrayList<>();
    maintenance
        .flatMap(one -> over(now, one.until(), OperatorRequest.MAX_MAINTENANCE))
        .ifPresent(why -> events.add(new Event.MaintenanceEnded(now, why)));
    released
        .flatMap(one -> over(now, one.until(), OperatorRequest.MAX_RELEASE))
        .ifPresent(why -> events.add(new Event.GpusReopened(now, why)));
    for (Event.TestFinding test : tests.values()) {
      over(now, test.until(), OperatorRequest.MAX_TEST)
          .ifPresent(why -> events.add(ended(now, test, why)));
    }
    return events;
  }

  /** A clock that was set back must not extend anything beyond its limit. */
  private static Optional<String> over(Instant now, Instant until, Duration limit) {
    if (!now.isBefore(until)) {
      return Optional.of(OVER);
    }
    return until.isAfter(now.plus(limit)) ? Optional.of(CLOCK) : Optional.empty();
  }

  private static Event ended(Instant now, Event.TestFinding test, String why) {
    return new Event.TestFindingEnded(now, test.rule(), test.subject(), why);
  }

  private void apply(Event event) {
    if (event instanceof Event.MaintenanceStarted started) {
      Instant since = maintenance.map(Maintenance::since).orElse(started.at());
      maintenance = Optional.of(new Maintenance(since, started.until(), started.note()));
    } else if (event instanceof Event.MaintenanceEnded ended) {
      maintenance = maintenance.filter(one -> isExtended(one.until(), ended.at(), ended.why()));
    } else if (event instanceof Event.GpusReleased release) {
      Instant since = released.map(Release::since).orElse(release.at());
      released = Optional.of(new Release(since, release.until(), false));
    } else if (event instanceof Event.GpusReopened reopened) {
      released = released.filter(one -> isExtended(one.until(), reopened.at(), reopened.why()));
    } else if (event instanceof Event.TestFinding test) {
      tests.put(List.of(test.rule(), test.subject()), test);
    } else if (event instanceof Event.TestFindingEnded ended) {
      tests.computeIfPresent(
          List.of(ended.rule(), ended.subject()),
          (key, one) -> isExtended(one.until(), ended.at(), ended.why()) ? one : null);
    }
  }

  /** Whether an end of time is that of an earlier time: another agent has extended it meanwhile. */
  private static boolean isExtended(Instant until, Instant ended, String why) {
    return why.equals(OVER) && until.isAfter(ended);
  }

  private static Operations.Test test(Event.TestFinding test) {
    Detection detection =
        new Detection(
            test.rule(),
            Subject.parse(test.subject()),
            new Disposition(
                word(Severity.values(), test.severity(), Severity.INFO),
                word(Action.values(), test.action(), Action.NONE),
                word(Urgency.values(), test.urgency(), Urgency.JOB_END)),
            "TEST: an operator tries the alerts; nothing is wrong",
            "It does not change the verdict and ends by itself.",
            "docs/maintenance.md",
            Optional.of(test.at()),
            Optional.of(test.at()),
            1,
            List.of("lapwing test-finding"));
    return new Operations.Test(new Finding(detection, test.at(), test.at()), test.until());
  }

  private static <T extends Enum<T> & LabelWord> T word(T[] all, String word, T otherwise) {
    return Arrays.stream(all).filter(one -> one.text().equals(word)).findFirst().orElse(otherwise);
  }
}
