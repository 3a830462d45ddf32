package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Evaluates each target by itself. The same fault on many targets is one finding of the file
 * system: a failed server affects dozens.
 */
public interface TargetRule extends HealthRule {

  String KIND = "lustre";

  /** More targets than this become one finding. */
  int MAX_SEPARATE = 8;

  Optional<Detection> evaluate(PartStatus target, NodeSnapshot view, RulePolicy policy);

  @Override
  default String kind() {
    return KIND;
  }

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Detection> found = new ArrayList<>();
    for (PartStatus target : view.answering(KIND)) {
      if (isTarget(target.name())) {
        evaluate(target, view, policy).ifPresent(found::add);
      }
    }
    return found.isEmpty() ? found : merged(found);
  }

  /** All rules in the order of the documentation: the client, connections, speed. */
  static List<HealthRule> all() {
    return List.of(
        new TargetUnhealthy(),
        new TargetDisconnected(),
        new TargetEvicted(),
        new RpcTimeouts(),
        new SlowTarget(),
        new RpcsFull(),
        new GrantExhausted(),
        new LustreMetricsUnavailable());
  }

  /** Merges the detections of many targets of one file system; the others stay unchanged. */
  static List<Detection> merged(List<Detection> detections) {
    Map<String, List<Detection>> byFileSystem = new TreeMap<>();
    List<Detection> all = new ArrayList<>();
    for (Detection detection : detections) {
      if (isTarget(name(detection))) {
        byFileSystem
            .computeIfAbsent(fileSystem(name(detection)), unseen -> new ArrayList<>())
            .add(detection);
      } else {
        all.add(detection);
      }
    }
    byFileSystem.forEach(
        (fileSystem, some) ->
            all.addAll(some.size() > MAX_SEPARATE ? List.of(together(fileSystem, some)) : some));
    return all;
  }

  private static Detection together(String fileSystem, List<Detection> all) {
    Detection first = all.get(0);
    return new Detection(
        first.rule(),
        new Subject.Part(KIND, fileSystem),
        first.disposition(),
        all.size() + " targets, such as " + name(first) + ": " + first.what(),
        first.why(),
        first.document(),
        first.since(),
        first.last(),
        all.stream().mapToLong(Detection::times).sum(),
        first.sources());
  }

  private static String name(Detection detection) {
    return detection.subject() instanceof Subject.Part part ? part.name() : "";
  }

  static List<PartStatus> targets(NodeSnapshot view) {
    return view.parts(KIND).stream().filter(part -> isTarget(part.name())).toList();
  }

  /** Whether it is named as {@code scratch-OST0002}: a file system's name and a suffix. */
  static boolean isTarget(String part) {
    int suffix = part.length() - "-OST0002".length();
    return suffix > 0
        && (part.startsWith("-OST", suffix) || part.startsWith("-MDT", suffix))
        && isNumber(part, suffix + 4);
  }

  /** Hexadecimal, in lower case. */
  private static boolean isNumber(String part, int from) {
    for (int i = from; i < part.length(); i++) {
      char c = part.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  private static String fileSystem(String target) {
    return target.substring(0, target.lastIndexOf('-'));
  }
}
