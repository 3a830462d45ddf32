package io.lapwing.agent.web;

import io.lapwing.agent.actions.NodeCommands;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import io.lapwing.json.JsonWriter;
import io.lapwing.json.JsonWriter.Members;
import io.lapwing.node.Platform;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code /api/v1/actions}: the commands with which an operator drains, repairs and returns this
 * node, and the links of this site.
 *
 * <pre>
 * {"platform": "karpenter", "title": "Karpenter on EKS", "platform_source": "...",
 *  "platforms": [{"platform": "slurm", "title": "Slurm on EC2"}, ...],
 *  "steps": [{"step": "drain", "title": "Drain the node", "needed": true,
 *             "commands": [{"line": "kubectl cordon ip-10-0-0-7", "note": "..."}]}],
 *  "runbooks": "ui/runbooks", "dashboard": "https://..."}
 * </pre>
 *
 * <p>{@code platform} is null, and there are no steps, if it is not recognized and {@code
 * ?platform=} names none.
 */
record ActionsPage(Supplier<WebContent.AgentInfo> agent, Supplier<HealthReport> health)
    implements Page {

  private static final String PARAMETER = "platform";

  @Override
  public Answer answer(Query query) {
    for (String name : query.names()) {
      if (!name.equals(PARAMETER)) {
        return Answer.text(400, "unknown parameter '" + name + "'; supported: " + PARAMETER);
      }
    }
    List<String> chosen = query.parameters(PARAMETER);
    Optional<Platform> platform = chosen.stream().findFirst().flatMap(Platform::of);
    if (chosen.size() > 1 || (!chosen.isEmpty() && platform.isEmpty())) {
      return Answer.text(400, "platform: supported is one of " + NodeCommands.choices());
    }
    NodeCommands commands = NodeCommands.of(health.get(), platform);
    return Answer.ok(
        "application/json", JsonWriter.page(json(commands, agent.get().links(), health.get())));
  }

  private static Members json(NodeCommands commands, WebContent.Links links, HealthReport report) {
    return json ->
        json.member(PARAMETER, commands.platform().map(Platform::id))
            .member("title", commands.platform().map(Platform::title))
            .member("platform_source", commands.why())
            .member("platforms", Arrays.stream(Platform.values()).map(ActionsPage::platform))
            .member("steps", commands.steps().stream().map(ActionsPage::step))
            .member("runbooks", links.runbookFolder())
            .member("dashboard", links.dashboard(report.node()));
  }

  private static Members platform(Platform one) {
    return json -> json.member(PARAMETER, one.id()).member("title", one.title());
  }

  private static Members step(NodeCommands.OneStep one) {
    return json ->
        json.member("step", one.step().id())
            .member("title", one.step().title())
            .member("needed", one.needed())
            .member("commands", one.commands().stream().map(ActionsPage::command));
  }

  private static Members command(NodeCommands.Command command) {
    return json -> json.member("line", command.line()).member("note", command.note());
  }
}
