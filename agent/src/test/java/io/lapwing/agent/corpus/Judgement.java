package io.lapwing.agent.corpus;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.LogReplay;
import io.lapwing.agent.replay.ReplayOutput;
import io.lapwing.agent.replay.ReplayRequest;
import io.lapwing.common.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A case as judged under one profile: by the live engine and, if its log is all there is, by {@code
 * lapwing replay} too. If the two differ, the worse outcome counts.
 */
record Judgement(Case one, Profile profile, Label label, Outcome outcome, String details) {

  boolean right() {
    return outcome == Outcome.RIGHT;
  }

  /** For people: what was expected, and what was said. */
  String text() {
    return "%s / %s under %s: %s%s%n  label %s%n  %s"
        .formatted(
            one.theme(),
            one.name(),
            profile,
            outcome.text(),
            one.miss().isEmpty() ? "" : ", a known miss",
            label,
            details);
  }

  static Judgement of(Case one, Profile profile, Path scratch) throws IOException, ConfigException {
    Label label = Objects.requireNonNull(one.labels().get(profile));
    Outcome outcome = Outcome.RIGHT;
    String details = "";
    if (one.text().isEmpty()) {
      Path procfs = Files.createTempDirectory(scratch, "proc");
      HealthReport live = Steps.report(one, profile, procfs);
      outcome = outcome(one, label, live);
      details = "live: " + said(live) + " " + info(live);
    }
    if (one.replayed() || !one.text().isEmpty()) {
      HealthReport replayed = replay(one, profile, scratch);
      Outcome other = outcome(one, label, replayed);
      outcome = other.compareTo(outcome) < 0 ? other : outcome;
      details += " replay: " + said(replayed);
    }
    return new Judgement(one, profile, label, outcome, details);
  }

  private static Outcome outcome(Case one, Label label, HealthReport report) {
    Outcome outcome = label.compare(said(report));
    boolean accused =
        report.findings().stream()
            .filter(finding -> finding.disposition().severity() != Severity.INFO)
            .anyMatch(finding -> one.victims().contains(finding.rule()));
    return outcome == Outcome.RIGHT && accused ? Outcome.WRONG_CAUSE : outcome;
  }

  static Label said(HealthReport report) {
    if (report.verdict() == Verdict.HEALTHY) {
      return Label.HEALTHY;
    }
    List<String> causes =
        report.findings().stream()
            .filter(finding -> finding.disposition().severity() != Severity.INFO)
            .map(finding -> finding.rule() + " " + subject(finding))
            .toList();
    return new Label(
        report.verdict(),
        report.verdict() == Verdict.UNKNOWN && causes.isEmpty() ? Action.WATCH : report.action(),
        report.urgency(),
        causes);
  }

  private static List<String> info(HealthReport report) {
    return report.findings().stream()
        .filter(finding -> finding.disposition().severity() == Severity.INFO)
        .map(finding -> finding.rule() + " " + subject(finding))
        .toList();
  }

  /** {@code gpu:3}, which the live engine names by its UUID and a replay by its address. */
  private static String subject(Finding finding) {
    return finding
        .subject()
        .text()
        .replaceFirst("gpu:GPU-0000000(\\d)-.*", "gpu:$1")
        .replaceFirst("gpu:0000:5(\\d):00", "gpu:$1");
  }

  private static HealthReport replay(Case one, Profile profile, Path scratch)
      throws IOException, ConfigException {
    Path log = Files.createTempFile(scratch, "kernel", ".log");
    Files.writeString(log, one.text().isEmpty() ? text(one) : one.text());
    AtomicReference<HealthReport> last = new AtomicReference<>();
    new LogReplay()
        .replay(
            new ReplayRequest(
                log,
                Optional.empty(),
                Optional.of(profile.toString()),
                one.text().isEmpty() ? Optional.of(one.driver()) : Optional.empty(),
                false),
            new ReplayOutput() {
              @Override
              public void event(ReplayedEvent event) {}

              @Override
              public void verdict(
                  Instant at, Verdict from, Verdict to, Action action, String why) {}

              @Override
              public void boot(Optional<Instant> at, String id) {}

              @Override
              public void end(HealthReport report, Counts counts) {
                last.set(report);
              }
            });
    return Objects.requireNonNull(last.get());
  }

  /** The messages of a case's steps with their times, as {@code dmesg --time-format iso}. */
  private static String text(Case one) {
    StringBuilder log = new StringBuilder();
    Instant now = LivePlay.START;
    line(log, now, "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  " + one.driver() + "  Tue");
    now = now.plus(Duration.ofMinutes(11));
    for (String step : one.steps()) {
      if (step.startsWith("log ")) {
        now = now.plusMillis(50);
        line(log, now, Steps.addressed(step.substring(4)));
      } else if (step.startsWith("wait ")) {
        now = now.plus(Steps.duration(step.substring(5)));
      } else if (step.equals("boot")) {
        now = now.plus(Duration.ofMinutes(4));
        line(log, now, "Linux version 6.8.0-1021-aws (buildd@lcy02) (gcc 13.2.0) #23-Ubuntu SMP");
      }
    }
    return log.toString();
  }

  private static void line(StringBuilder log, Instant at, String message) {
    String iso = at.toString();
    String time = iso.replace("Z", iso.contains(".") ? "000" : ".000000");
    log.append(time.replace('.', ',')).append("+00:00 ").append(message).append('\n');
  }
}
