package io.lapwing.drain.aws;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Repairs.Repair;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The instance of a node, by the ids that its scheduler and its agent report. */
final class Instance {

  private static final Pattern ID = Pattern.compile("i-[0-9a-f]{8}(?:[0-9a-f]{9})?");

  private Instance() {}

  /**
   * Runs a command on it. Refused if its id is unknown, or may be that of another node: an operator
   * may have set the scheduler's id, and nodes may exchange their names.
   */
  static CommandResult of(Repair repair, Function<String, CommandResult> what) {
    String scheduler = repair.node().instanceId();
    String agent = repair.instanceId();
    if (!ID.matcher(scheduler).matches()) {
      return new Refused("the id of the instance of " + repair.node().name() + " is unknown");
    }
    if (ID.matcher(agent).matches() && !agent.equals(scheduler)) {
      return new Refused(
          "the agent of "
              + repair.node().name()
              + " is on "
              + agent
              + ", and the scheduler says "
              + scheduler);
    }
    return what.apply(scheduler);
  }
}
