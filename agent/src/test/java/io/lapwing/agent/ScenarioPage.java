package io.lapwing.agent;

import io.lapwing.agent.health.Profile;
import io.lapwing.simulator.Scenario;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code docs/scenarios.md}, made from the table that {@link ScenarioVerdictTest} plays. */
final class ScenarioPage {

  private static final String HEAD =
      """
      # Scenarios

      Generated from the table of a test that plays each scenario against two agents, one for each profile.

      `./lapwing demo --scenario NAME` shows one. Times are relative to its start, when every node is healthy unless the
      table begins with 0 s. Rows with **at** follow the scenario itself. All other rows are manual steps: the test
      performs them on the simulated node, `lapwing demo` does not. **restart** restarts the agent only, which clears
      no finding. Where a condition must persist for minutes, the test waits for it; DCGM's health watches and IMEX are read once a minute.

      `aws` and `nvidia` are the profiles, with verdict, action and urgency. The findings listed are those that change the
      verdict; findings of severity `info` are omitted. `gpu:5` is the GPU in slot 5. `no data` lists what
      [DCGM](support.md#dcgm) has no values for.

      A finding with the action `replace_node` closes when the machine is replaced or an operator clears it. A reset or a
      reboot does not close it.
      """;

  private static final String JOBS =
      """

      ## Training jobs

      These run a job with real processes as ranks, in real time; another test plays them, against one agent. The findings are of any
      severity. The [cause of lost time](training.md#why-a-step-was-slow) is that of every rank, or of one and of those that wait for it. The node
      stays healthy but where a verdict is given.

      | | | lost time | findings |
      |---|---|---|---|
      """;

  private static final String LINE = "| `%s` | %s | %s | %s |\n";

  private ScenarioPage() {}

  static String markdown(List<ScenarioTable.Row> rows) {
    StringBuilder page = new StringBuilder(HEAD);
    rows.forEach(row -> section(page, row));
    page.append(JOBS);
    JobScenario.all().forEach(job -> page.append(line(job)));
    return page.toString();
  }

  private static String line(JobScenario job) {
    String verdict = job.verdict().equals("healthy") ? "" : "; " + job.verdict();
    return LINE.formatted(
        job.scenario(),
        Scenario.named(job.scenario()).summary(),
        lost(job),
        list(new TreeSet<>(job.findings())) + verdict);
  }

  private static String lost(JobScenario job) {
    if (job.cause().isEmpty()) {
      return "";
    }
    return job.rank().isEmpty()
        ? "`%s`".formatted(job.cause())
        : "rank %s: `%s`; the others: `%s`".formatted(job.rank(), job.cause(), job.waiting());
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
    page.append(" | ").append(findings(aws.findings(), nvidia.findings()));
    if (!moment.withoutData().isEmpty()) {
      page.append(aws.findings().isEmpty() ? "" : "; ").append("no data: ");
      page.append(list(moment.withoutData()));
    }
    page.append(" |\n");
  }

  private static String act(String act) {
    if (act.startsWith("at ")) {
      return act.replaceFirst("(\\d+)(\\w+)$", "$1 $2");
    }
    if (act.startsWith("set ")) {
      return "**set** `" + act.substring("set ".length()) + "`";
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
