package io.lapwing.agent.attribution;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;

/** The state of the node besides the training loops, with the active findings. */
record NodeContext(NodeSnapshot view, List<Finding> findings) {

  /** The window over which losses and counter increases are computed. */
  static final Duration WINDOW = Duration.ofMinutes(1);

  NodeContext {
    findings = List.copyOf(findings);
  }

  /** The increase of a counter in the last minute; 0 if unknown. */
  double increase(String part, Metric counter, String... labels) {
    return view.trends().increase(part, counter, List.of(labels), WINDOW).orElse(0);
  }

  List<PartStatus> answering(String kind) {
    return view.parts().stream()
        .filter(part -> part.kind().equals(kind) && part.answers())
        .toList();
  }
}
