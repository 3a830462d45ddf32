package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.intake.FiringAlerts;
import io.lapwing.drain.intake.NodeDirectory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Nodes in service, by name. */
public final class Nodes {

  private Nodes() {}

  public static NodeDirectory directory(String... names) {
    NodeDirectory directory = new NodeDirectory();
    directory.update(view(Arrays.stream(names).map(name -> node(name, "")).toList()));
    return directory;
  }

  public static ClusterView view(List<NodeState> nodes) {
    return ClusterView.of(Instant.EPOCH, nodes, List.of());
  }

  public static NodeState node(String name, String instanceId) {
    return new NodeState(
        new NodeName(name),
        Service.IN_SERVICE,
        "",
        "",
        Set.of(),
        true,
        instanceId,
        Optional.empty(),
        8);
  }

  /** Where no alert stops the controller. */
  public static FiringAlerts noAlerts() {
    return new FiringAlerts(Set::of, Duration.ofHours(5), InstantSource.system());
  }
}
