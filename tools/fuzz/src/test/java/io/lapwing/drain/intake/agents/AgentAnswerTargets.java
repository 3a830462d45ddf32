package io.lapwing.drain.intake.agents;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.fuzz.Target;
import java.util.List;

/** What answers on the port of an agent. */
public final class AgentAnswerTargets {

  private AgentAnswerTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofBytes("drain-health", AgentAnswerTargets::health)
            .recordings("drain/src/test/resources/health/*.json"));
  }

  /** What takes a node has a finding. */
  private static void health(byte[] input) {
    try {
      HealthDocument document = HealthDocument.read(input);
      boolean acts =
          document.health().action().takesNode() && document.health().verdict() != Verdict.UNKNOWN;
      demand(!acts || document.finding().isPresent(), "an action without a finding");
    } catch (Unusable declared) {
      demand(declared.outcome().what().length() < 300, "a long text");
    }
  }
}
