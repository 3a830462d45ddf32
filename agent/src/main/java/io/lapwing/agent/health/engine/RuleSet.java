package io.lapwing.agent.health.engine;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.StateEscalation;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.common.log.Log;
import io.lapwing.metric.Metric;
import java.time.Instant;
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

  /** A rule with its description, which is constant. */
  private record Entry(HealthRule rule, RuleSpec spec, Map<String, List<Metric>> trends) {}

  private final List<Entry> rules;
  private final PolicyHolder policy;
  private final Set<String> reported = new HashSet<>();

  public RuleSet(List<HealthRule> rules, Policy policy) {
    this(rules, new PolicyHolder(policy));
  }

  public RuleSet(List<HealthRule> rules, PolicyHolder policy) {
    this.rules = rules.stream().map(rule -> new Entry(rule, rule.spec(), rule.trends())).toList();
    this.policy = policy;
  }

  void startEvaluation() {
    policy.startEvaluation();
  }

  boolean isOff(String name) {
    return policy.now().rules().values().stream()
        .anyMatch(rule -> rule.spec().hasFinding(name) && !rule.enabled());
  }

  /** As {@link Policy#ofFindings}, under the policy in force. */
  Optional<Disposition> disposition(String findings) {
    return policy.now().ofFindings(findings);
  }

  List<RuleSpec> specs() {
    return rules.stream().map(Entry::spec).toList();
  }

  public String profile() {
    return policy.now().profile();
  }

  /** The families that any rule reads. */
  public Stream<Metric> needs() {
    return specs().stream()
        .flatMap(spec -> Stream.of(spec.needs(), spec.reads(), spec.trends()))
        .flatMap(List::stream);
  }

  /** The counters whose increase any rule reads, by kind of part. */
  Map<String, List<Metric>> trends() {
    Map<String, List<Metric>> byKind = new HashMap<>();
    for (Entry one : rules) {
      one.trends()
          .forEach(
              (kind, counters) ->
                  byKind.computeIfAbsent(kind, unseen -> new ArrayList<>()).addAll(counters));
    }
    return byKind;
  }

  /**
   * Rules whose needed families no part that answers has. Rules for absent kinds are not listed.
   */
  Map<String, String> unevaluated(NodeSnapshot view) {
    Map<String, String> missing = new TreeMap<>();
    Map<String, List<Values>> answering = answering(view);
    for (Entry one : rules) {
      String kind = one.rule().kind();
      List<Metric> needs = one.spec().needs();
      List<Values> seen = answering.getOrDefault(kind, List.of());
      if (!seen.isEmpty()
          && !needs.isEmpty()
          && !hasAny(seen, needs)
          && one.trends().keySet().stream()
              .noneMatch(other -> hasAny(answering.getOrDefault(other, List.of()), needs))) {
        missing.put(one.spec().name(), "no " + word(kind) + " has " + names(needs));
      }
    }
    return missing;
  }

  /** The values of the parts that answer, each kind as a whole among them. */
  private static Map<String, List<Values>> answering(NodeSnapshot view) {
    return view.all()
        .filter(PartStatus::answers)
        .collect(groupingBy(PartStatus::kind, mapping(PartStatus::values, toList())));
  }

  private static String word(String kind) {
    return kind.equals(Subject.Gpu.KIND) ? "GPU" : "part of " + kind;
  }

  private static boolean hasAny(List<Values> parts, List<Metric> metrics) {
    for (Values values : parts) {
      for (Metric metric : metrics) {
        if (values.has(metric)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String names(List<Metric> metrics) {
    return metrics.stream().map(Metric::name).collect(Collectors.joining(" or "));
  }

  /** Whether the rule of findings of that name has data on a subject now. */
  boolean canEvaluate(String name, Subject subject, NodeSnapshot view, Instant detected) {
    return rules.stream()
        .filter(one -> one.spec().hasFinding(name))
        .anyMatch(
            one ->
                reads(one.rule(), view)
                    && one.rule()
                        .canEvaluate(
                            subject, view, detected, policy.now().rule(one.spec().name())));
  }

  /** While the GPUs are released, findings about them and the driver stay. */
  private static boolean reads(HealthRule rule, NodeSnapshot view) {
    return !(view.driver() instanceof DriverStatus.Released) || rule.readsReleased();
  }

  List<Detection> evaluate(NodeSnapshot view) {
    List<Detection> detections = new ArrayList<>();
    for (Entry one : rules) {
      RulePolicy own = policy.now().rule(one.spec().name());
      if (own.enabled()) {
        List<Detection> found = evaluate(one.rule(), view, own);
        detections.addAll(
            one.spec().escalates() && !found.isEmpty()
                ? found.stream().map(new StateEscalation(view.history(), view.now())::of).toList()
                : found);
      }
    }
    return detections;
  }

  private List<Detection> evaluate(HealthRule rule, NodeSnapshot view, RulePolicy own) {
    try {
      return rule.evaluate(view, own);
    } catch (RuntimeException bug) {
      String name = own.spec().name();
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

  /** The policy in force. Any thread may change it; one evaluation uses the same throughout. */
  static final class PolicyHolder {

    private volatile Policy next;
    private volatile Policy now;

    public PolicyHolder(Policy policy) {
      this.next = policy;
      this.now = policy;
    }

    /** Takes effect at the next evaluation. */
    public void change(Policy policy) {
      next = policy;
    }

    void startEvaluation() {
      now = next;
    }

    Policy now() {
      return now;
    }

    public Disposition xid(int number) {
      return now.xid(number);
    }
  }
}
