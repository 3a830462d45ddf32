package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.log.Log;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All rules under one policy. A rule that throws becomes a finding; the others still run. */
public final class RuleSet {

  private static final Log LOG = Log.of(RuleSet.class);

  private final List<HealthRule> rules;
  private final PolicyHolder policy;
  private final Set<String> reported = new HashSet<>();

  public RuleSet(List<HealthRule> rules, Policy policy) {
    this(rules, new PolicyHolder(policy));
  }

  /** Under a policy that may change. */
  public RuleSet(List<HealthRule> rules, PolicyHolder policy) {
    this.rules = List.copyOf(rules);
    this.policy = policy;
  }

  void startEvaluation() {
    policy.startEvaluation();
  }

  boolean isOff(String name) {
    RulePolicy rule = policy.now().rules().get(name);
    return rule != null && !rule.enabled();
  }

  List<HealthRule> rules() {
    return rules;
  }

  public String profile() {
    return policy.now().profile();
  }

  /** The families that any rule reads. */
  public Stream<Metric> needs() {
    return rules.stream()
        .flatMap(rule -> Stream.of(rule.needs(), rule.reads(), rule.trends()))
        .flatMap(List::stream);
  }

  /** The counters whose increase any rule reads, by kind of part. */
  Map<String, List<Metric>> trends() {
    Map<String, List<Metric>> byKind = new HashMap<>();
    for (HealthRule rule : rules) {
      byKind.computeIfAbsent(rule.kind(), unseen -> new ArrayList<>()).addAll(rule.trends());
    }
    return byKind;
  }

  /**
   * The rules without data, each with the missing families: no part that answers has any of the
   * families they need. A rule whose kind of part does not exist on this node is not listed.
   */
  Map<String, String> unevaluated(NodeSnapshot view) {
    Map<String, String> missing = new TreeMap<>();
    for (HealthRule rule : rules) {
      List<Metric> needs = rule.needs();
      List<Values> seen = answering(rule.kind(), view);
      if (!seen.isEmpty()
          && !needs.isEmpty()
          && seen.stream().noneMatch(values -> hasAny(values, needs))) {
        missing.put(rule.spec().name(), "no " + word(rule.kind()) + " has " + names(needs));
      }
    }
    return missing;
  }

  private static List<Values> answering(String kind, NodeSnapshot view) {
    return view.all()
        .filter(part -> part.kind().equals(kind) && part.answers())
        .map(PartStatus::values)
        .toList();
  }

  private static String word(String kind) {
    return kind.equals(Subject.Gpu.KIND) ? "GPU" : "part of " + kind;
  }

  private static boolean hasAny(Values values, List<Metric> metrics) {
    return metrics.stream().anyMatch(metric -> !values.all(metric).isEmpty());
  }

  private static String names(List<Metric> metrics) {
    return metrics.stream().map(Metric::name).collect(Collectors.joining(" or "));
  }

  /** Whether the rule of that name has data on a subject now. */
  boolean canEvaluate(String name, Subject subject, NodeSnapshot view) {
    return rules.stream()
        .filter(rule -> rule.spec().name().equals(name))
        .anyMatch(rule -> rule.canEvaluate(subject, view));
  }

  List<Detection> evaluate(NodeSnapshot view) {
    List<Detection> detections = new ArrayList<>();
    for (HealthRule rule : rules) {
      if (policy.now().rule(rule.spec().name()).enabled()) {
        detections.addAll(evaluate(rule, view));
      }
    }
    return detections;
  }

  private List<Detection> evaluate(HealthRule rule, NodeSnapshot view) {
    String name = rule.spec().name();
    try {
      return rule.evaluate(view, policy.now().rule(name));
    } catch (RuntimeException bug) {
      if (reported.add(name + bug)) {
        LOG.error("a health rule failed", bug, "rule", name);
      }
      return List.of(broken(name, bug));
    }
  }

  private static Detection broken(String rule, RuntimeException bug) {
    return new Detection(
        "rule_broken",
        Subject.NODE,
        Disposition.unknown(),
        "the rule " + rule + " does not work: " + bug,
        "What this rule would find is not looked for; this is a bug of Lapwing.",
        "the agent's log",
        Optional.empty(),
        Optional.empty(),
        1,
        List.of("agent"));
  }
}
