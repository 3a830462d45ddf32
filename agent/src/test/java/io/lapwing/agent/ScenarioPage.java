package io.lapwing.agent;

import io.lapwing.agent.health.Profile;
import io.lapwing.simulator.Scenario;
import java.util.List;
import java.util.Set;

/** {@code docs/scenarios.md}, made from the table that {@link ScenarioVerdictTest} plays. */
final class ScenarioPage {

  private static final String HEAD =
      """
      # Scenarios

      Made from the table that a test plays, scenario by scenario, under the eyes of two agents; so this is what they said.

      `./lapwing demo --scenario NAME` shows one; times are after its beginning, in which every node is healthy unless the
      table begins with 0 s. A scenario's own steps are **at** a time. What stands there without one is done by hand: the test
      does it to the simulated node, and `lapwing demo` does not. **restart** is one of the agent alone, which clears
      nothing. What has to hold for minutes before it counts has held for them: the test waits for it.

      `aws` and `nvidia` are the profiles: the verdict, the action and when it is due. Findings are those that change the
      verdict; what is only told is left out. `gpu:5` is the GPU in slot 5.

      A call for replacement goes with the machine, or when an operator clears it, and not with a reset or a reboot.
      """;

  private static final String JOBS =
      """

      ## Training jobs

      In these a job runs whose ranks are real processes. They live in real time, so that test does not play them.

      | | |
      |---|---|
      """;

  private static final String LINE = "| `%s` | %s |\n";

  private ScenarioPage() {}

  static String markdown(List<ScenarioTable.Row> rows) {
    StringBuilder page = new StringBuilder(HEAD);
    rows.forEach(row -> section(page, row));
    page.append(JOBS);
    Scenario.all().stream()
        .filter(Scenario::runsJob)
        .forEach(job -> page.append(LINE.formatted(job.name(), job.summary())));
    return page.toString();
  }

  private static void section(StringBuilder page, ScenarioTable.Row row) {
    page.append("\n## ").append(row.scenario()).append("\n\n");
    page.append(Scenario.named(row.scenario()).summary()).append(".");
    if (!row.instance().equals("p5.48xlarge")) {
      page.append(" Played with `--instance-type ").append(row.instance()).append("`.");
    }
    page.append("\n\n| | aws | nvidia | findings |\n|---|---|---|---|\n");
    for (ScenarioTable.Moment moment : row.moments()) {
      if (!moment.act().equals("at 0s") || !isHealthy(moment)) {
        line(page, moment);
      }
    }
  }

  private static boolean isHealthy(ScenarioTable.Moment moment) {
    return moment.said().values().stream().allMatch(said -> said.call().equals("healthy"));
  }

  private static void line(StringBuilder page, ScenarioTable.Moment moment) {
    ScenarioTable.Said aws = moment.under(Profile.AWS);
    ScenarioTable.Said nvidia = moment.under(Profile.NVIDIA);
    page.append("| ").append(act(moment.act()));
    page.append(" | ").append(call(aws));
    page.append(" | ").append(call(nvidia));
    page.append(" | ").append(findings(aws.findings(), nvidia.findings())).append(" |\n");
  }

  private static String act(String act) {
    if (act.startsWith("at ")) {
      return act.replaceFirst("(\\d+)(\\w+)$", "$1 $2");
    }
    return act.contains(".")
        ? "**clear** the fault"
        : "**" + act.replaceFirst(" ", "** ") + end(act);
  }

  private static String end(String act) {
    return act.contains(" ") ? "" : "**";
  }

  private static String call(ScenarioTable.Said said) {
    return said.call()
        .replaceFirst("^(\\w+) (\\w+) ", "$1, `$2` ")
        .replace("job_end", "at job end");
  }

  private static String findings(Set<String> aws, Set<String> nvidia) {
    if (aws.equals(nvidia)) {
      return list(aws);
    }
    return "aws: " + list(aws) + "; nvidia: " + (nvidia.isEmpty() ? "none" : list(nvidia));
  }

  private static String list(Set<String> findings) {
    return String.join(", ", findings.stream().map(finding -> "`" + finding + "`").toList());
  }
}
