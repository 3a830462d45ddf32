package io.lapwing.agent.attribution;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;

/**
 * What the node tells besides the training loops at one moment.
 *
 * @param findings that hold now
 */
record NodeContext(NodeSnapshot view, List<Finding> findings) {

  /** Over which growth is looked at: that of the time which is explained. */
  static final Duration WINDOW = Duration.ofMinutes(1);

  NodeContext {
    findings = List.copyOf(findings);
  }

  /** By how much a counter grew in the last minute; 0 where that is not known. */
  double grown(String part, Metric counter, String... labels) {
    return view.trends().increase(part, counter, List.of(labels), WINDOW).orElse(0);
  }

  List<PartStatus> answering(String kind) {
    return view.parts().stream()
        .filter(part -> part.kind().equals(kind) && part.answers())
        .toList();
  }
}
