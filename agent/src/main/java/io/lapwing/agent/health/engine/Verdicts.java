package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Verdicts from findings: that of the worst severity, with the most severe action. */
public final class Verdicts {

  public record Ruling(Verdict verdict, Action action, Optional<Urgency> urgency) {

    /** Without a finding. */
    static final Ruling NOTHING = of(Stream.empty());

    static Ruling of(Stream<Finding> findings) {
      List<Disposition> dispositions =
          findings
              .map(Finding::disposition)
              .filter(disposition -> disposition.severity() != Severity.INFO)
              .toList();
      Severity worst =
          dispositions.stream()
              .map(Disposition::severity)
              .max(Comparator.naturalOrder())
              .orElse(Severity.INFO);
      Action action =
          dispositions.stream()
              .map(Disposition::action)
              .max(Comparator.naturalOrder())
              .orElse(Action.NONE);
      Optional<Urgency> urgency =
          dispositions.stream()
              .filter(disposition -> isPartOf(disposition.action(), action))
              .map(Disposition::urgency)
              .max(Comparator.naturalOrder());
      return new Ruling(Verdict.of(worst), action, urgency);
    }

    /**
     * An urgent reset stays urgent beside a later replacement; an application restart is part of no
     * reset.
     */
    private static boolean isPartOf(Action milder, Action action) {
      return milder.equals(action) || milder.covers(Action.RESET_GPU);
    }
  }

  private Verdicts() {}

  public static Ruling node(List<Finding> findings) {
    return Ruling.of(findings.stream());
  }

  /** That of its findings; a GPU that cannot be read is never healthy. */
  static Ruling gpu(List<Finding> findings, GpuStatus gpu) {
    Ruling ruling =
        findings.isEmpty()
            ? Ruling.NOTHING
            : Ruling.of(findings.stream().filter(finding -> gpu.is(finding.subject())));
    return gpu.answers() || ruling.verdict() == Verdict.FAILING
        ? ruling
        : new Ruling(
            Verdict.UNKNOWN,
            ruling.action().covers(Action.WATCH) ? ruling.action() : Action.WATCH,
            ruling.urgency());
  }

  /** One sentence, of the worst finding. */
  static String summary(List<Finding> findings, NodeSnapshot view) {
    List<Finding> counting =
        findings.stream()
            .filter(finding -> finding.disposition().severity() != Severity.INFO)
            .toList();
    if (!counting.isEmpty()) {
      String more = counting.size() == 1 ? "" : " (and " + (counting.size() - 1) + " more)";
      return worst(counting, view) + more;
    }
    long answering = view.gpus().stream().filter(gpu -> gpu.answers()).count();
    if (answering > 0) {
      return (answering == 1 ? "1 GPU answers" : answering + " GPUs answer")
          + "; no fault is detected";
    }
    return view.driver() instanceof DriverStatus.Absent
        ? "no GPU expected on this machine, and none found"
        : "no GPU answers, and none is expected";
  }

  /** The first of some findings, with its subject. */
  public static String worst(List<Finding> findings, NodeSnapshot view) {
    Finding worst = findings.get(0);
    String subject = worst.subject().equals(Subject.NODE) ? "" : name(worst.subject(), view) + ": ";
    return subject + worst.detection().what();
  }

  private static String name(Subject subject, NodeSnapshot view) {
    if (subject instanceof Subject.Gpu gpu) {
      return view.gpu(gpu.uuid()).map(GpuStatus::text).orElse("GPU " + gpu.uuid());
    }
    if (subject instanceof Subject.Part part) {
      return part.words();
    }
    return subject instanceof Subject.NvSwitch one ? one.device() : "node";
  }

  static List<HealthReport.GpuVerdict> gpus(
      List<Finding> findings, NodeSnapshot view, Map<Subject, Instant> since) {
    List<HealthReport.GpuVerdict> verdicts = new ArrayList<>();
    for (GpuStatus gpu : view.gpus()) {
      Ruling ruling = gpu(findings, gpu);
      verdicts.add(
          new HealthReport.GpuVerdict(
              gpu.uuid(),
              gpu.index(),
              gpu.pci(),
              ruling.verdict(),
              ruling.action(),
              since.getOrDefault(gpu.subject(), view.now())));
    }
    return verdicts;
  }

  /** When each verdict last changed, also across restarts of the agent. Used by one thread. */
  static final class VerdictHistory {

    private final Map<Subject, Event.VerdictChanged> last = new HashMap<>();

    VerdictHistory(List<Event> history) {
      for (Event event : history) {
        if (event instanceof Event.VerdictChanged changed) {
          last.put(Subject.parse(changed.subject()), changed);
        }
      }
    }

    /** The change; empty where verdict and action are as before. */
    Optional<Event> update(Instant now, Subject subject, Ruling ruling) {
      Event.VerdictChanged before = last.get(subject);
      String verdict = ruling.verdict().text();
      String action = ruling.action().text();
      if (before != null && before.to().equals(verdict) && before.action().equals(action)) {
        return Optional.empty();
      }
      String from = before == null ? "" : before.to();
      Event.VerdictChanged changed =
          new Event.VerdictChanged(now, subject.text(), from, verdict, action);
      last.put(subject, changed);
      return Optional.of(changed);
    }

    Instant since(Subject subject, Instant otherwise) {
      Event.VerdictChanged changed = last.get(subject);
      return changed == null ? otherwise : changed.at();
    }

    Map<Subject, Instant> all() {
      Map<Subject, Instant> since = new HashMap<>();
      last.forEach((subject, changed) -> since.put(subject, changed.at()));
      return since;
    }
  }
}
