package io.lapwing.agent;

import io.lapwing.agent.actions.ActionTable;
import io.lapwing.agent.actions.ActionTable.Entry;
import io.lapwing.agent.actions.Step;
import io.lapwing.node.Platform;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** {@code docs/actions.md}: the commands of each step on each platform. */
final class ActionsDocument {

  private static final String INTRODUCTION =
      """
      # Commands to drain, repair and return a node

      Generated from `actions.csv` of the agent; a test fails if the two differ. `lapwing check --commands` prints those of a node
      with its name, instance ID and GPUs, for the platform that the agent found (`--platform` for another one), and
      [`/ui`](ui.md) shows them with a button to copy each. Lapwing itself runs none of them.

      Replace the words in capital letters: `NODE` is the node's name in Slurm or Kubernetes, `GPU` a PCI bus ID, UUID or index,
      `NAMESPACE` that of Lapwing's DaemonSet. A note stands above its command. Do not begin a reason with `lapwing: `: such
      a drain belongs to the [health check](health.md#slurms-health-check), which ends it once the node is healthy.

      Before a drain or a reboot, start [maintenance](maintenance.md) so that the alerts of the node do not page. `lapwing check`
      shows what a stop would cost the jobs of the node. To return a node whose fault was repaired in another way than its finding
      asks for: `lapwing clear`.

      """;

  private static final String DETECTION =
      """

      ## How the platform is found

      By the first that applies, or as `--node.platform` says. If nothing applies the platform is unknown, and the choices are
      listed.

      | what the node has | platform |
      |---|---|
      | a kubelet with a label `sagemaker.amazonaws.com/...` | `hyperpod-eks` |
      | a kubelet with a label `karpenter.sh/...` (Auto Mode too) | `karpenter` |
      | a kubelet with the label `eks.amazonaws.com/nodegroup` | `eks-node-group` |
      | a kubelet, and a name that starts with `hyperpod-i-` or `/opt/ml/config/resource_config.json` | `hyperpod-eks` |
      | `/opt/ml/config/resource_config.json` | `hyperpod-slurm` |
      | `/etc/parallelcluster` | `parallelcluster` |
      | `/opt/aws/pcs` | `pcs` |
      | slurmd | `slurm` |

      The labels are read from the kubelet's command line, by its cgroup. A container that sees neither needs `--node.platform`
      (in the chart: `flags`).
      """;

  private static final ActionTable TABLE = ActionTable.load();

  private final StringBuilder page = new StringBuilder();

  private ActionsDocument() {}

  static String markdown() {
    List<Platform> platforms = List.of(Platform.values());
    ActionsDocument document = new ActionsDocument();
    String overview =
        "| | "
            + platforms.stream().map(Platform::title).collect(Collectors.joining(" | "))
            + " |\n|---|"
            + "---|".repeat(platforms.size())
            + "\n"
            + Arrays.stream(Step.values())
                .map(step -> overview(step, platforms))
                .collect(Collectors.joining());
    document.page.append(INTRODUCTION).append(overview).append(DETECTION);
    for (Step step : Step.values()) {
      document.line("");
      document.line("## %s", step.title());
      platforms.forEach(platform -> document.section(step, platform));
    }
    return document.page.toString();
  }

  /** A link from each cell to its commands. */
  private static String overview(Step step, List<Platform> platforms) {
    return "| ["
        + step.title()
        + "](#"
        + anchor(step.title())
        + ") | "
        + platforms.stream()
            .map(
                platform ->
                    "[`"
                        + verb(TABLE.of(platform, step))
                        + "`](#"
                        + anchor(title(step, platform))
                        + ")")
            .collect(Collectors.joining(" | "))
        + " |\n";
  }

  /** What the last command that does something is: {@code kubectl drain}. */
  private static String verb(List<Entry> entries) {
    List<String> commands = entries.stream().map(Entry::command).toList();
    for (String verb :
        List.of(
            "nvidia-smi --gpu-reset",
            "reason='Action:Reboot'",
            "reason='Action:Replace'",
            "state=resume",
            "kubectl uncordon",
            "scontrol delete reservation",
            "scontrol reboot",
            "ec2 reboot-instances",
            "batch-reboot-cluster-nodes",
            "batch-replace-cluster-nodes",
            "terminate-instance-in-auto-scaling-group",
            "kubectl delete node",
            "ec2 terminate-instances",
            "ec2 stop-instances",
            "scontrol create reservation",
            "kubectl drain",
            "state=drain")) {
      if (commands.stream().anyMatch(command -> command.contains(verb))) {
        return verb;
      }
    }
    throw new IllegalStateException("no verb for " + commands);
  }

  private static String title(Step step, Platform platform) {
    return step.title() + ": " + platform.title();
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }

  private void section(Step step, Platform platform) {
    List<Entry> entries = TABLE.of(platform, step);
    line("");
    line("### %s", title(step, platform));
    line("");
    line("```sh");
    for (Entry entry : entries) {
      if (!entry.note().isEmpty()) {
        line("# %s", entry.note());
      }
      line("%s", plain(entry.command()));
    }
    line("```");
    line("");
    line(
        "Source: %s",
        String.join(
            "; ",
            entries.stream()
                .flatMap(entry -> Arrays.stream(entry.source().split("; ", -1)))
                .collect(Collectors.toCollection(TreeSet::new))));
  }

  private static String plain(String command) {
    return command
        .replace("{node}", "NODE")
        .replace("{instance}", "INSTANCE_ID")
        .replace("{gpu}", "GPU")
        .replace("{cluster}", "CLUSTER")
        .replace("{reason}", "'REASON'");
  }

  private void line(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
