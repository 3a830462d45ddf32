package io.lapwing.drain.slurm;

import io.lapwing.drain.cluster.NodeName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which nodes share an NVLink fabric. Serves one thread. */
public interface NvlinkDomains {

  /** Of a cluster whose nodes have none, or of which it is not known. */
  NvlinkDomains NONE = nodes -> Map.of();

  /**
   * The domains of these nodes, by node; a node without one, or of which it is not known, is
   * missing.
   */
  Map<NodeName, String> of(Collection<SlurmNode> nodes) throws UnreadableAnswer;

  /**
   * By a feature of the nodes. A node with several of them counts as one of which nothing is known.
   *
   * @param prefix with which its name begins: {@code nvlink-} of {@code nvlink-rack7}
   */
  static NvlinkDomains byFeature(String prefix) {
    return nodes -> {
      Map<NodeName, String> domains = new HashMap<>();
      for (SlurmNode node : nodes) {
        List<String> named =
            node.features().stream().filter(feature -> feature.startsWith(prefix)).toList();
        if (named.size() == 1) {
          domains.put(node.name(), named.get(0));
        }
      }
      return domains;
    };
  }
}
