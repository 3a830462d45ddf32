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

/** All rules under one policy. A rule with a bug costs itself, and is itself a finding. */
public final class RuleSet {

  private static final Log LOG = Log.of(RuleSet.class);

  private final List<HealthRule> rules;
  private final PolicyHolder policy;
  private final Set<String> reported = new HashSet<>();

  public RuleSet(List<HealthRule> rules, Policy policy) {
    this(rules, new PolicyHolder(policy));
  }

  /** The same under a policy that may be changed. */
  public RuleSet(List<HealthRule> rules, PolicyHolder policy) {
    this.rules = List.copyOf(rules);
    this.policy = policy;
  }

  /** A judgement begins. */
  void judge() {
    policy.judge();
  }

  /** Whether a rule is switched off. */
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

  /** The counters whose increase any rule asks for, by what has them. */
  Map<String, List<Metric>> trends() {
    Map<String, List<Metric>> byKind = new HashMap<>();
    for (HealthRule rule : rules) {
      byKind.computeIfAbsent(rule.kind(), unseen -> new ArrayList<>()).addAll(rule.trends());
    }
    return byKind;
  }

  /**
   * The rules that see none of the families they look at, on nothing that answers. Where there is
   * nothing of what a rule looks at, nothing is to be watched.
   */
  Map<String, String> unwatched(NodeSnapshot view) {
    Map<String, String> blind = new TreeMap<>();
    for (HealthRule rule : rules) {
      List<Metric> needs = rule.needs();
      List<Values> seen = answering(rule.kind(), view);
      if (!seen.isEmpty()
          && !needs.isEmpty()
          && seen.stream().noneMatch(values -> hasAny(values, needs))) {
        blind.put(rule.spec().name(), "no " + word(rule.kind()) + " has " + names(needs));
      }
    }
    return blind;
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

  /** Whether the rule of that name can tell of a subject now. */
  boolean sees(String name, Subject subject, NodeSnapshot view) {
    return rules.stream()
        .filter(rule -> rule.spec().name().equals(name))
        .anyMatch(rule -> rule.sees(subject, view));
  }

  List<Detection> judge(NodeSnapshot view) {
    List<Detection> symptoms = new ArrayList<>();
    for (HealthRule rule : rules) {
      if (policy.now().rule(rule.spec().name()).enabled()) {
        symptoms.addAll(judge(rule, view));
      }
    }
    return symptoms;
  }

  private List<Detection> judge(HealthRule rule, NodeSnapshot view) {
    String name = rule.spec().name();
    try {
      return rule.judge(view, policy.now().rule(name));
    } catch (RuntimeException bug) {
      if (reported.add(name + bug)) {
        LOG.error("a health rule is broken", bug, "rule", name);
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
