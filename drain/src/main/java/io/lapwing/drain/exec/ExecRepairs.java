package io.lapwing.drain.exec;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Repairs by a program of the site. Exit code 0: the repair has begun. */
public final class ExecRepairs implements Repairs {

  private final SiteProgram program;

  /**
   * @throws IllegalArgumentException if the path is not absolute
   */
  public ExecRepairs(Path program, List<String> arguments, Duration timeout) {
    this.program = new SiteProgram(program, arguments, timeout);
  }

  @Override
  public CommandResult begin(Repair repair) {
    NodeState node = repair.node();
    return program.command(
        Map.of(
            "remedy",
            repair.remedy().word(),
            "node",
            node.name().text(),
            "reason",
            repair.reason(),
            "rule",
            repair.rule(),
            "instance_id",
            repair.instanceId(),
            "groups",
            String.join(",", node.groups().stream().sorted().toList()),
            "gpus",
            Integer.toString(node.gpus())));
  }
}
