package io.lapwing.drain.app;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.replay.Assumed;
import io.lapwing.drain.replay.Measures;
import io.lapwing.drain.replay.Outcome;
import io.lapwing.drain.replay.Recording;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A replay as a table for people, with what it assumes. */
final class ReplayText {

  private ReplayText() {}

  static String of(Recording recording, Assumed assumed, List<Outcome> outcomes) {
    StringBuilder text = new StringBuilder(record(recording)).append("\n\n");
    List<Map<String, String>> columns = outcomes.stream().map(Measures::of).toList();
    Set<String> rows = new LinkedHashSet<>();
    columns.forEach(column -> rows.addAll(column.keySet()));
    int title = rows.stream().mapToInt(String::length).max().orElse(0);
    List<Integer> widths = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      int values = columns.get(i).values().stream().mapToInt(String::length).max().orElse(0);
      widths.add(Math.max(values, outcomes.get(i).policy().length()));
    }
    row(text, title, "", widths, outcomes.stream().map(Outcome::policy).toList());
    for (String name : rows) {
      row(
          text,
          title,
          name,
          widths,
          columns.stream().map(column -> column.getOrDefault(name, "0")).toList());
    }
    text.append("\nAssumptions:\n");
    assumptions(recording, assumed).forEach(line -> text.append("  - ").append(line).append('\n'));
    return text.toString();
  }

  private static void row(
      StringBuilder text, int title, String name, List<Integer> widths, List<String> values) {
    StringBuilder row = new StringBuilder(padded(name, title));
    for (int i = 0; i < values.size(); i++) {
      row.append("  ").append(padded(values.get(i), widths.get(i)));
    }
    text.append(row.toString().stripTrailing()).append('\n');
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String record(Recording recording) {
    return String.format(
        Locale.ROOT,
        "%s to %s; nodes: %d, %d with an event log; node-days: %.3f; findings or alerts that ask"
            + " for a node: %d; jobs: %d",
        recording.from().truncatedTo(ChronoUnit.SECONDS),
        recording.until().truncatedTo(ChronoUnit.SECONDS),
        recording.size(),
        recording.logs(),
        recording.nodeDays(),
        recording.asks().size(),
        recording.jobs().size());
  }

  static List<String> assumptions(Recording recording, Assumed assumed) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "A node is healthy outside of its recorded findings. Agents, scheduler and"
                    + " platform always answer.",
                "An action in mode dry-run is done; one in mode observe is not. A repair without"
                    + " a driver is refused. Jobs are ended unless"
                    + " --scheduler=none.",
                "A reset takes %s, a reboot %s, a replacement %s."
                    .formatted(
                        takes(assumed, Remedy.RESET_GPU),
                        takes(assumed, Remedy.REBOOT_NODE),
                        takes(assumed, Remedy.REPLACE_NODE)),
                "A repair helps if the record shows the finding closed, and if it is at least the"
                    + " repair that the record shows before that, or else the finding's action."
                    + " Against a finding that never closes, none helps.",
                "Other findings come as recorded, whatever was repaired before.",
                "Findings of an event log have the urgency of alerts.urgency.",
                "There are no partitions, NVLink domains, opt-outs, alerts that block, site tests"
                    + " or other users who take nodes.",
                "A job starts on the nodes that are in service then, as recorded. One that is"
                    + " ended does not start again.",
                "A round takes place each 30 seconds: shorter times in a policy count as 30"
                    + " seconds.",
                "A fault within 24 hours of the return counts as recorded. A false drain needs an"
                    + " event log: only that shows repairs."));
    if (recording.lacksGpus()) {
      all.add("A node whose record does not show its GPUs has " + assumed.gpus() + ".");
    }
    if (recording.unnamed() == 0) {
      all.add(
          "The cluster has the nodes that the files name, and no others (--nodes); limits by share"
              + " are of these.");
    }
    if (recording.unconfirmed() > 0) {
      all.add(recording.unconfirmed() + " findings that NVML did not confirm are left out.");
    }
    return all;
  }

  private static String takes(Assumed assumed, Remedy remedy) {
    return TimeText.exact(assumed.takes().getOrDefault(remedy, Duration.ZERO));
  }
}
