package io.lapwing.agent.privacy;

import io.lapwing.agent.events.Event;
import io.lapwing.training.TrainingSource;
import io.lapwing.xid.ProgramName;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Events with the names of jobs and programs replaced, in their texts too. Events are read again
 * from the log, where they may have been written with names, or with pseudonyms: what has the form
 * of a pseudonym stays.
 *
 * @param program the pseudonym of a program
 * @param job the pseudonym of a job
 */
record PrivateEvents(UnaryOperator<String> program, UnaryOperator<String> job) {

  static final Pattern PSEUDONYM = Pattern.compile("h[0-9a-f]{12}");

  /** In place of a text that may name a job or its user. */
  static final String LEFT_OUT = "the text names a job and is left out";

  private static final String RANKS = TrainingSource.KIND + ":";

  /** As the driver writes the name of a program. */
  private static final Pattern NAMED = Pattern.compile("\\bname=([^,]+)");

  /** As the kernel and its file systems write the names of processes, of up to 15 bytes. */
  private static final List<Pattern> PROCESSES =
      List.of(
          Pattern.compile("(?<=\\bcomm )(.{1,15}(?=: )|[^:]{1,16})", Pattern.DOTALL),
          Pattern.compile(
              "(?<=Killed process \\d{1,10} \\()(.{1,15})(?=\\)(?:[ ,.]|$))", Pattern.DOTALL),
          // A line end in the name ends the message.
          Pattern.compile("(?<=Killed process \\d{1,10} \\()([^)]{1,15})\\z", Pattern.DOTALL),
          Pattern.compile("(?<=\\btask )(.{1,15})(?=:\\d{1,10} blocked )", Pattern.DOTALL),
          Pattern.compile("(?<=s! \\[)(.{1,15})(?=:\\d{1,10}\\])", Pattern.DOTALL));

  /** As findings write it: {@code (process python, pid 7)}, {@code last python (pid 7)}. */
  private static final List<Pattern> IN_FINDINGS =
      List.of(
          Pattern.compile("(?<=\\(process )(.{1,64}?)(?=, pid \\d)"),
          Pattern.compile("(?<= for memory, last )(.{1,64}?)(?= \\(pid \\d|,|$)"));

  /** Behind it, in the finding of a killed process: a rank with its job. */
  private static final Pattern RANK_IN_FINDING =
      Pattern.compile(" \\((?:a rank|rank \\S+) of job (?!h[0-9a-f]{12}[,)]).*\\)");

  /** As the OOM killer writes it. */
  private static final Pattern USER_ID = Pattern.compile(" ?\\b(?:UID:|uid=)\\d+,?");

  Event of(Event event) {
    if (event instanceof Event.Xid xid) {
      return xid.by(once(xid.process(), program), message(xid));
    }
    if (event instanceof Event.HostFault fault) {
      return fault.by(once(fault.process(), program), message(fault));
    }
    if (event instanceof Event.FindingOpened opened) {
      return of(opened);
    }
    if (event instanceof Event.FindingEscalated one) {
      return new Event.FindingEscalated(
          one.at(), one.rule(), subject(one.subject()), one.severity(), one.action());
    }
    return event instanceof Event.FindingClosed one
        ? new Event.FindingClosed(one.at(), one.rule(), subject(one.subject()), one.why())
        : event;
  }

  private static String once(String name, UnaryOperator<String> pseudonym) {
    return name.isEmpty() || PSEUDONYM.matcher(name).matches() ? name : pseudonym.apply(name);
  }

  private String replaced(List<Pattern> patterns, String text) {
    String shown = text;
    for (Pattern pattern : patterns) {
      shown = pattern.matcher(shown).replaceAll(name -> once(name.group(1), program));
    }
    return shown;
  }

  /** A name may contain the comma that ends it: its rest is at the start of the message. */
  private String message(Event.Xid xid) {
    String message = xid.message();
    int rest = ProgramName.restIn(xid.process(), message);
    String shown =
        rest == 0 ? message : once(message.substring(0, rest), program) + message.substring(rest);
    return NAMED.matcher(shown).replaceAll(name -> "name=" + once(name.group(1), program));
  }

  private String message(Event.HostFault fault) {
    String message = replaced(PROCESSES, fault.message());
    return USER_ID.matcher(message).replaceAll("");
  }

  private Event of(Event.FindingOpened opened) {
    String subject = subject(opened.subject());
    String what =
        subject.equals(opened.subject())
            ? RANK_IN_FINDING.matcher(replaced(IN_FINDINGS, opened.what())).replaceAll("")
            : LEFT_OUT;
    return new Event.FindingOpened(
        opened.at(),
        opened.since(),
        opened.rule(),
        subject,
        opened.severity(),
        opened.action(),
        what);
  }

  /** {@code training:4711/3}, {@code training:4711}. */
  private String subject(String subject) {
    if (!subject.startsWith(RANKS) || subject.length() == RANKS.length()) {
      return subject;
    }
    Matcher name = Pattern.compile("([^/]+)(/[^/]*)?(/.*)?").matcher(subject);
    return name.matches()
        ? RANKS
            + once(name.group(1).substring(RANKS.length()), job)
            + (name.group(2) == null ? "" : name.group(2))
            + (name.group(3) == null ? "" : "/" + once(name.group(3).substring(1), job))
        : subject;
  }
}
