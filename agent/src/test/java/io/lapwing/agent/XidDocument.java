package io.lapwing.agent;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Profile;
import io.lapwing.xid.SxidTable;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code docs/xids.md}: what each XID means, and its disposition in the two profiles. */
final class XidDocument {

  private static final String INTRODUCTION =
      """
      # XIDs

      <!-- Generated from io/lapwing/xid/xid.csv; a test fails if the two differ. -->

      The XIDs that NVIDIA's driver logs as `NVRM: Xid`, their meaning, and how Lapwing classifies them.
      `lapwing policy show` prints what is in effect on a node, with the changes of its policy file.

      **Profiles.** `nvidia` follows NVIDIA's Xid catalogue and memory-error guide. `aws`, the default, differs only where
      AWS advises to replace the instance instead of repairing it in place: %s.
      `balanced` is as `nvidia`, but it replaces what a reset does not mend: as `aws` for %s, and by
      [row_remap_growth](health-rules.md#row_remap_growth) for the second uncorrectable row in 30 days.
      `--health.profile` selects one, and a policy file (`--health.policy`) changes single rows.

      **Disposition.** Severity, action and urgency. `info` does not change the verdict; `degraded` and `failing` do.
      Urgency `now` means immediately, `job_end` after the running work has ended.

      **Often confused.** 63 is not a failure: it records that a row was remapped (or a page retired), which takes effect at
      the next reset of the GPU. 64 means that this record could not be written. 79, and no other XID, means that a GPU has
      fallen off the bus. 94 was contained to one application; 95 was not.

      **63 by default.** NVIDIA's catalogue ignores it; its memory-error guide has the GPU reset. EC2 advises to replace the
      instance before the spare rows run out; so the agent of EKS calls 63 fatal, and its node repair replaces the node after ten
      minutes, with the job on it. The programs of others are divided as well: a warning in DCGM, no fault in NVSentinel, a
      reboot in gpud, a failed node in Azure's node health checks. `aws` is EC2's advice with the job left alone: degraded, at job end,
      and no alert that pages. Where another node is hard to get, `balanced` resets the GPU at job end and replaces the node at
      the second uncorrectable row in 30 days.

      **Rows that the message refines.** 154 carries the recovery action in its text. 144 to 150 and 74 carry registers that
      decide the action. 94 and 95 state whether the driver requires a reset. 13 and 31 are treated as hardware errors if they
      repeat at the same location. The details of the message take precedence over the row.

      **Columns.** *GPUs*: the generations for which the catalogue lists the XID. *NVIDIA*: the catalogue's two resolution
      buckets, the immediate action and the investigation; empty where it has none. *class*: the usual location of the cause.

      """;

  private static final String SXIDS =
      """

      ## SXids

      Errors of the NVSwitches, `SXid` in the kernel log, by NVIDIA's Fabric Manager User Guide (DU-09883-001_v1.3,
      appendix D). A number without a row counts as its message says.

      | effect | disposition | SXids |
      |---|---|---|
      """;

  private static final String HEADER =
      "| XID | name | meaning | class | GPUs | NVIDIA | `aws` | `nvidia` | source |\n";

  private XidDocument() {}

  /** The page. */
  static String markdown(XidTable table) {
    StringBuilder page =
        new StringBuilder(
            INTRODUCTION.formatted(
                differing(table, XidInfo::aws), differing(table, XidInfo::balanced)));
    page.append(HEADER).append(HEADER.replaceAll("[^|\n]+", "---"));
    table.all().forEach(xid -> page.append(row(String.valueOf(xid.number()), xid)));
    // No XID has the number 0.
    page.append(row("any other", table.get(0)));
    return page.append(sxids()).toString();
  }

  private static String sxids() {
    StringBuilder section = new StringBuilder(SXIDS);
    for (SxidTable.Effect effect : SxidTable.Effect.values()) {
      String numbers =
          SxidTable.load().all().stream()
              .filter(sxid -> sxid.effect() == effect)
              .map(sxid -> sxid.number() + " (" + sxid.name() + ")")
              .collect(Collectors.joining(", "));
      section.append(
          "| %s | %s | %s |\n"
              .formatted(effect.name().toLowerCase(Locale.ROOT), meaning(effect), numbers));
    }
    return section.toString();
  }

  private static String meaning(SxidTable.Effect effect) {
    return switch (effect) {
      case CORRECTED, IGNORED, THROUGHPUT, THERMAL_END -> "info";
      case REPEATED -> "info; degraded, watch, if it repeats on one link";
      case FABRIC -> "failing, reboot_node, now, also if the message says Non-fatal";
      case THERMAL_START -> "degraded, watch, until 10005";
      case PRINTED -> "Fatal: failing, reboot_node, now; Non-fatal: info";
    };
  }

  private static String differing(XidTable table, Function<XidInfo, XidInfo.XidCall> profile) {
    return table.all().stream()
        .filter(xid -> !profile.apply(xid).equals(xid.nvidia()))
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
            text(Profile.AWS.of(xid)),
            text(Profile.NVIDIA.of(xid)),
            xid.source())
        .map(cell -> cell.isEmpty() ? "|" : "| " + cell.replace("|", "\\|") + " ")
        .collect(Collectors.joining("", "", "|\n"));
  }

  private static String text(Disposition disposition) {
    return String.join(
        ", ",
        disposition.severity().text(),
        disposition.action().text(),
        disposition.urgency().text());
  }
}
