package io.lapwing.drain.app;

import io.lapwing.common.web.Page;
import io.lapwing.drain.decisions.OpenRemediation;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Remediation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code /ui}: open remediations, what each waits for, the brake and the last decisions. */
record DrainUi(State state, Supplier<Policy> policy, String version) implements Page {
  private static final int LAST = 50;

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="10">
      <meta name="viewport" content="width=device-width">
      <title>Lapwing drain</title>
      <style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { border-bottom: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
      .stop { border-left: .3rem solid #c33; padding-left: .6rem; }
      @media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8bf; } }
      </style>
      </head>
      <body>
      <h1>Lapwing drain</h1>
      """;

  @Override
  public Answer answer(Query query) {
    StringBuilder page = new StringBuilder(HEAD);
    stop(page, "Not ready", state.notReady());
    stop(page, "Paused", state.paused().get());
    stop(page, "Not reloaded", state.notReloaded().get());
    Snapshot snapshot = state.snapshot();
    for (Objection one : snapshot.brake()) {
      stop(page, "No further node is taken", Optional.of(one.toString()));
    }
    snapshot.calls().forEach(call -> stop(page, "A person has to act", Optional.of(call)));
    page.append("<p>Modes:");
    for (Verb verb : Verb.values()) {
      page.append(' ').append(verb.word()).append(' ');
      page.append(DrainValueTypes.word(policy.get().mode(verb))).append(';');
    }
    snapshot.state().ifPresent(known -> page.append(" last round ").append(known.at()));
    page.append("</p>\n<h2>Open remediations</h2>\n");
    open(page, snapshot);
    page.append("<h2>Last decisions</h2>\n");
    decisions(page);
    page.append("<p><small>").append(escaped(version)).append("</small></p>\n</body>\n</html>\n");
    return Answer.ok("text/html; charset=utf-8", page.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void stop(StringBuilder page, String what, Optional<String> why) {
    why.ifPresent(
        text ->
            page.append("<p class=\"stop\"><b>")
                .append(what)
                .append(":</b> ")
                .append(escaped(text))
                .append("</p>\n"));
  }

  private static void open(StringBuilder page, Snapshot snapshot) {
    if (snapshot.open().isEmpty()) {
      page.append("<p>None.</p>\n");
      return;
    }
    page.append("<table><tr><th>Node<th>Phase<th>Since<th>Action<th>Why<th>Waits for</tr>\n");
    for (OpenRemediation open : snapshot.open()) {
      Remediation one = open.remediation();
      row(
          page,
          one.node().text(),
          one.phase().word() + (one.phase().holdsNode() ? " (held)" : ""),
          one.since().toString(),
          one.remedy().word(),
          one.why(),
          (open.person() ? "a person: " : "") + open.waitsFor().orElse(""));
    }
    page.append("</table>\n");
  }

  private void decisions(StringBuilder page) {
    List<Entry> all = state.journal().recent();
    page.append("<table><tr><th>Time<th>Node<th>Phase<th>What</tr>\n");
    for (int i = all.size() - 1; i >= Math.max(0, all.size() - LAST); i--) {
      Entry entry = all.get(i);
      row(
          page,
          entry.at().toString(),
          entry.state().node().text(),
          entry.state().phase().word(),
          entry.what() + entry.radius().map(radius -> " - " + radius.sentence()).orElse(""));
    }
    page.append("</table>\n");
  }

  private static void row(StringBuilder page, String... cells) {
    page.append("<tr>");
    for (String cell : cells) {
      page.append("<td>").append(escaped(cell));
    }
    page.append("</tr>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
