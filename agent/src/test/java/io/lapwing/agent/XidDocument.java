package io.lapwing.agent;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Profile;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code docs/xids.md}: what each XID means, and what the two profiles make of it. */
final class XidDocument {

  private static final String INTRODUCTION =
      """
      # XIDs

      <!-- Generated from io/lapwing/xid/xid.csv; a test holds the two equal. -->

      What NVIDIA's driver reports as `NVRM: Xid`, what it means, and what Lapwing makes of it. `lapwing policy show` prints
      what holds on a node, with what its policy file changes.

      **Profiles.** `nvidia` follows NVIDIA's Xid catalogue and memory-error guide. `aws`, the default, is the same except
      where AWS wants the instance replaced instead of repaired in place: %s.
      `--health.profile` chooses, and a policy file (`--health.policy`) changes single rows.

      **A call** is severity, action and urgency. `info` leaves the verdict as it is; `degraded` and `failing` are the
      verdicts of these names. `now` is now, `job_end` once the work that runs has ended.

      **63 is no failure.** It records that a row was remapped (or a page retired), which the GPU heals by itself at its
      next reset; 64 says that this record could not be made. 79, and no other, is a GPU that has fallen off the bus. 94 was
      contained to one application; 95 was not.

      **Rows that are not the last word.** 154 carries the recovery action in its text. 144 to 150 carry registers that say
      what to do, and 74 carries seven. 94 and 95 say whether the driver wants a reset. 13 and 31 that keep coming back to the
      same place are looked at as hardware. What is found there comes before the row.

      **Columns.** GPUs are those for which the catalogue has the XID. *NVIDIA says* has its two resolution buckets: what to do
      at once, and what to look into; empty where it has none. The class is where the cause lies as a rule.

      """;

  private static final String HEADER =
      "| XID | name | what it means | class | GPUs | NVIDIA says | `aws` | `nvidia` | source |\n";

  private XidDocument() {}

  /** The page. */
  static String markdown(XidTable table) {
    StringBuilder page = new StringBuilder(INTRODUCTION.formatted(differing(table)));
    page.append(HEADER).append(HEADER.replaceAll("[^|\n]+", "---"));
    table.all().forEach(xid -> page.append(row(String.valueOf(xid.number()), xid)));
    // No XID has the number 0.
    return page.append(row("any other", table.get(0))).toString();
  }

  private static String differing(XidTable table) {
    return table.all().stream()
        .filter(xid -> !xid.aws().equals(xid.nvidia()))
        .map(xid -> String.valueOf(xid.number()))
        .collect(Collectors.joining(", "));
  }

  private static String row(String number, XidInfo xid) {
    return Stream.of(
            number,
            xid.name(),
            xid.meaning(),
            xid.kind().text(),
            String.join(", ", xid.generations()),
            Stream.of(xid.nvidiaImmediate(), xid.nvidiaFollowUp())
                .filter(bucket -> !bucket.isEmpty())
                .collect(Collectors.joining("; ")),
            call(Profile.AWS.of(xid)),
            call(Profile.NVIDIA.of(xid)),
            xid.source())
        .map(cell -> cell.isEmpty() ? "|" : "| " + cell.replace("|", "\\|") + " ")
        .collect(Collectors.joining("", "", "|\n"));
  }

  private static String call(Disposition call) {
    return String.join(", ", call.severity().text(), call.action().text(), call.urgency().text());
  }
}
