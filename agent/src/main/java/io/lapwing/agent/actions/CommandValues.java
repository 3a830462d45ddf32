package io.lapwing.agent.actions;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.HealthReport.NodeName;
import io.lapwing.node.Platform;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The values of placeholders for one node. Names of nodes, instances and GPUs are input: a value
 * that has more than the characters of such a name is not used, and the reader has to replace the
 * word in capital letters instead. None needs quotes in a shell but the reason, which has them.
 */
final class CommandValues {

  private static final Pattern NODE =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,62}(\\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,8}");
  private static final Pattern INSTANCE = Pattern.compile("i-[0-9a-f]{8}([0-9a-f]{9})?");
  private static final Pattern PCI =
      Pattern.compile("[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}(\\.0)?");
  private static final Pattern RULE = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  /** The words for values that are not known, as in the documentation. */
  static final Map<String, String> WORDS =
      Map.of(
          "{node}", "NODE",
          "{instance}", "INSTANCE_ID",
          "{gpu}", "GPU",
          "{cluster}", "CLUSTER",
          "{reason}", "'REASON'");

  private CommandValues() {}

  static Map<String, String> of(HealthReport report, Platform platform) {
    NodeName node = report.node();
    String name = platform.isSlurm() ? host(node.hostname()) : node.hostname();
    return Map.of(
        "{node}", checked(NODE, name, "{node}"),
        "{instance}", checked(INSTANCE, node.instanceId(), "{instance}"),
        "{gpu}", gpus(report),
        "{cluster}", "CLUSTER",
        "{reason}", reason(report));
  }

  /** The values in the command. */
  static String fill(String command, Map<String, String> values) {
    String filled = command;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace(value.getKey(), value.getValue());
    }
    return filled;
  }

  /** Slurm's name of a node is its host name without the domain, unless slurmd has -N. */
  private static String host(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static String checked(Pattern form, String value, String placeholder) {
    return form.matcher(value).matches() ? value : WORDS.getOrDefault(placeholder, "");
  }

  /** The PCI addresses of the GPUs to reset: the indices change when a GPU is lost. */
  private static String gpus(HealthReport report) {
    List<String> addresses =
        report.gpus().stream()
            .filter(gpu -> gpu.action() == Action.RESET_GPU)
            .map(GpuVerdict::pci)
            .map(pci -> PCI.matcher(pci).matches() ? pci : "")
            .map(pci -> pci.isEmpty() || pci.endsWith(".0") ? pci : pci + ".0")
            .toList();
    return addresses.isEmpty() || addresses.contains("")
        ? WORDS.getOrDefault("{gpu}", "")
        : String.join(",", addresses);
  }

  /** In quotes: {@code 'xid_79 on GPU 3'}. Not as the health check's, which undoes its own. */
  private static String reason(HealthReport report) {
    return report.findings().stream()
        .filter(finding -> !Step.of(finding.disposition().action()).isEmpty())
        .filter(finding -> RULE.matcher(finding.rule()).matches())
        .findFirst()
        .map(finding -> "'" + finding.rule() + place(finding, report) + "'")
        .orElse(WORDS.getOrDefault("{reason}", ""));
  }

  private static String place(Finding finding, HealthReport report) {
    return report.index(finding.subject()).stream()
        .mapToObj(index -> " on GPU " + index)
        .collect(Collectors.joining());
  }
}
