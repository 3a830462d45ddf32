package io.lapwing.agent.cli;

import io.lapwing.agent.actions.NodeCommands;
import io.lapwing.agent.actions.NodeCommands.Command;
import io.lapwing.agent.actions.NodeCommands.OneStep;
import io.lapwing.common.text.Paragraph;
import io.lapwing.common.text.PlainText;
import io.lapwing.node.Platform;
import java.util.List;
import java.util.regex.Pattern;

/** {@code lapwing check --commands}: what to type on the platform of the node. */
final class CommandsText {

  private static final String INDENT = "   ";
  private static final String COMMENT = INDENT + "# ";

  /** What the reader replaces: {@code NODE}, {@code INSTANCE_ID}. */
  private static final Pattern BLANK =
      Pattern.compile("\\b(?:NODE|INSTANCE_ID|CLUSTER|NAMESPACE)\\b|-i GPU\\b|'REASON'");

  private CommandsText() {}

  static String of(NodeCommands commands, boolean simulated) {
    if (commands.platform().isEmpty()) {
      return "\n"
          + Paragraph.of(
              "",
              "",
              "Commands: unknown platform ("
                  + commands.why()
                  + "). Name it with --platform, or for the agent with --node.platform: "
                  + NodeCommands.choices());
    }
    Platform platform = commands.platform().get();
    boolean needed = commands.steps().stream().anyMatch(OneStep::needed);
    List<OneStep> steps =
        commands.steps().stream().filter(step -> step.needed() || !needed).toList();
    StringBuilder text = new StringBuilder();
    text.append('\n')
        .append(
            Paragraph.of("", "", "Commands for " + platform.title() + " (" + commands.why() + ")"));
    if (simulated) {
      text.append("The node is simulated: these are examples.\n");
    }
    if (!needed) {
      text.append("No finding asks for one of them now.\n");
    }
    if (steps.stream().flatMap(step -> step.commands().stream()).anyMatch(CommandsText::hasBlank)) {
      text.append("Replace the words in capital letters.\n");
    }
    steps.forEach(step -> append(step, text));
    return text.toString();
  }

  private static boolean hasBlank(Command command) {
    return BLANK.matcher(command.line()).find();
  }

  /** Commands are not wrapped: each is one line to copy. */
  private static void append(OneStep step, StringBuilder text) {
    text.append('\n').append(step.step().title()).append('\n');
    for (Command command : step.commands()) {
      if (!command.note().isEmpty()) {
        text.append(Paragraph.of(COMMENT, COMMENT, command.note()));
      }
      text.append(INDENT).append(PlainText.of(command.line())).append('\n');
    }
  }
}
