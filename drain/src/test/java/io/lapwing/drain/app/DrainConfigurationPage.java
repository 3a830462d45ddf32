package io.lapwing.drain.app;

import io.lapwing.common.config.Option;

/** {@code docs/drain-configuration.md}, generated from the table of options. */
final class DrainConfigurationPage {
  private static final String HEAD =
      """
      # Configuration of the drain controller

      <!-- Generated from io.lapwing.drain.app.DrainOptions; a test keeps the two equal. -->

      Every option can be set in three places. A flag overrides an environment variable, a variable overrides the file, and
      the file overrides the default:

      | where | how |
      |---|---|
      | command line | `--budget.nodes=3` or `--budget.nodes 3` |
      | environment | `LAPWING_DRAIN_BUDGET_NODES=3`; an empty variable counts as not set |
      | file | `--config.file=/etc/lapwing-drain/drain.yml` with `budget.nodes: 3`, or nested: `budget: {nodes: 3}` |

      The controller reports all errors at once, one line each with its place, and exits with code 2 before it opens a port.
      `lapwing-drain run --check-config` checks the configuration and, with the rights of the user who runs it, the files and
      directories that it names, prints the settings and where each one was set, and starts nothing. An unknown variable
      `LAPWING_DRAIN_*` is a warning.

      Last column: `reload` means that SIGHUP applies a change, with a line in the log for each. `restart` means that a reload
      keeps the previous value and logs a warning.

      | flag and key | variable | value | default | meaning | change |
      |---|---|---|---|---|---|
      """;

  private static final String TAIL =
      """

      ## Notes

      * A mode is `observe` (record the request), `dry-run` (decide, and show what would be done) or `act`. Every mode is
        `dry-run` until it is set. **A repair in mode `act` without a driver is passed over: the next stronger one follows at
        once** ([The ladder](drain.md#the-ladder)).
      * `repairs.replace: ec2` terminates the instance and launches nothing ([Let it act](drain.md#let-it-act)).
      * **On AWS ParallelCluster `mode.drain: act` terminates instances: its clustermgtd terminates every drained node as soon as
        it is idle.** The controller therefore refuses it there without `mode.replace: act`, and refuses `repairs.reboot: slurm`,
        because clustermgtd replaces the node that is down after the reboot. `budget.replacements-per-hour` limits the drains there.
        It knows ParallelCluster by `repairs.replace: parallelcluster`, or by `/etc/parallelcluster` or `/opt/parallelcluster` on its
        own machine, where `none` is the same driver; on another one, name the driver.
      * On HyperPod with Slurm, set `repairs.reboot` or `repairs.replace` to `hyperpod` also if the controller only drains: only
        then it reads the reasons that HyperPod writes over its own as those of a repair. The log has a line `who runs the nodes`
        at the start.
      * A driver `exec:/PATH` is a program of the site. It gets the facts as JSON on standard input and in variables:
        `LAPWING_DRAIN_REMEDY` (`reset_gpu`, `reboot_node`, `replace_node`), `LAPWING_DRAIN_NODE`, `LAPWING_DRAIN_REASON` (ours in
        the scheduler), `LAPWING_DRAIN_RULE` (for which it is done, such as `xid_79`; empty if a person requested it),
        `LAPWING_DRAIN_INSTANCE_ID`, `LAPWING_DRAIN_GROUPS` (partitions or node groups) and `LAPWING_DRAIN_GPUS`
        (how many; which one is faulty only `lapwing check` on the node says). Exit code 0: the repair has begun. 69: not possible with this node, the next stronger
        repair follows. 75, a signal or a timeout: unclear. Any other: refused, a person has to look.
        `release.program` and `test.program` get theirs in the same way (drain.md).
      * A window is days, times, a time zone, `permit` or `refuse`, and what it is about, of `drain`, `end-job`, `reset`, `reboot`,
        `replace`: `mon-fri 08:00-18:00 Europe/Berlin refuse reboot/replace`. Without these words it is about all of them. It ends
        on the next day if it ends before it starts. One `permit` closes all other time
        ([Windows and opt-out](drain.md#windows-and-opt-out)).
      * A reload forgets nothing. A restart goes on where the journal ends: a node has to be healthy for `policy.healthy-for` again,
        the site's test is run again, a repair that was accepted is no longer known to have begun ([Reload](drain.md#reload)), and a
        refused command is tried again without a pause.
      """;

  private DrainConfigurationPage() {}

  static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    DrainOptions.TABLE.options().forEach(option -> page.append(row(option)));
    return page.append(TAIL).toString();
  }

  private static String row(Option<?> option) {
    String fallback = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
    return "| `%s` | `%s` | `%s` | %s | %s | %s |%n"
        .formatted(
            option.isBoolean() ? "--[no-]" + option.name() : option.flag(),
            DrainOptions.TABLE.variable(option),
            option.placeholder().replace("|", "\\|"),
            fallback.replace("|", "\\|"),
            option.help(),
            option.reloadable() ? "reload" : "restart");
  }
}
