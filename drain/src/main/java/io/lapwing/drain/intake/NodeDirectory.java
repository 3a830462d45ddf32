package io.lapwing.drain.intake;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The scheduler's own list of nodes, by all names that an alert may use: the name, the host name
 * with or without its domain, the instance id, the address, and names of a driver. A name that is
 * not in it is never used in a command. Thread-safe.
 */
public final class NodeDirectory implements NodeResolver {

  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");
  private static final Pattern ADDRESS = Pattern.compile("([0-9]{1,3}\\.){3}[0-9]{1,3}");

  private volatile Optional<Names> names = Optional.empty();

  /**
   * @param exact names as they are
   * @param hosts first parts of names with a domain
   */
  private record Names(Map<String, Set<NodeName>> exact, Map<String, Set<NodeName>> hosts) {

    static Names of(ClusterView cluster, Map<String, NodeName> others) {
      Names names = new Names(new HashMap<>(), new HashMap<>());
      for (NodeState node : cluster.nodes().values()) {
        String name = lower(node.name().text());
        put(names.exact, name, node.name());
        put(names.exact, lower(node.instanceId()), node.name());
        if (name.contains(".")) {
          put(names.hosts, host(name), node.name());
        }
      }
      others.forEach((name, node) -> put(names.exact, lower(name), node));
      return names;
    }

    private static void put(Map<String, Set<NodeName>> map, String name, NodeName node) {
      map.computeIfAbsent(name, any -> new TreeSet<>()).add(node);
    }

    /** A name with a domain is never that of a node with another domain. */
    Set<NodeName> find(String name) {
      Set<NodeName> same = exact.getOrDefault(name, Set.of());
      if (!same.isEmpty()) {
        return same;
      }
      if (ADDRESS.matcher(name).matches()) {
        return find("ip-" + name.replace('.', '-'));
      }
      return name.contains(".")
          ? exact.getOrDefault(host(name), Set.of())
          : hosts.getOrDefault(name, Set.of());
    }
  }

  /** Takes over what the scheduler says. */
  public void update(ClusterView cluster) {
    update(cluster, Map.of());
  }

  /**
   * Takes over what the scheduler says.
   *
   * @param others more names of nodes, such as private DNS names of the cloud
   */
  public void update(ClusterView cluster, Map<String, NodeName> others) {
    names = Optional.of(Names.of(cluster, others));
  }

  @Override
  public Resolution resolve(String label) {
    Optional<Names> known = names;
    if (known.isEmpty()) {
      return new NotYet();
    }
    String text = PORT.matcher(label).replaceFirst("");
    if (NodeName.parse(text).isEmpty()) {
      return new NotFound("not the name of a node: " + Words.plain(label, 80));
    }
    Set<NodeName> found = known.get().find(lower(text));
    return switch (found.size()) {
      case 0 -> new NotFound("the scheduler has no node " + text);
      case 1 -> new Found(found.iterator().next());
      default -> new NotFound(text + " is the name of " + found.size() + " nodes: " + found);
    };
  }

  private static String host(String name) {
    return name.substring(0, name.indexOf('.'));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
