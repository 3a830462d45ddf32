package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How well {@link SbeAcceleration} does on made-up nodes, next to the thresholds that people use:
 * the tables of docs/decisions/0008-sbe-acceleration.md are what {@link SbeTables} prints.
 */
final class SbeStudy {

  /** One way to raise an alarm. */
  enum Detector {
    RULE,
    TEN_MINUTES,
    HOUR,
    DAY;

    private boolean fires(ErrorTape tape, int gpu, int step) {
      return switch (this) {
        case RULE -> throw new IllegalStateException("looks at a view");
        case TEN_MINUTES -> tape.increase(gpu, step, 2) > 0;
        case HOUR -> tape.increase(gpu, step, ErrorTape.PER_HOUR) > 100;
        case DAY -> tape.increase(gpu, step, ErrorTape.PER_DAY) > 100;
      };
    }
  }

  /**
   * Which nodes.
   *
   * @param first seed
   */
  record Seeds(long first, int count) {}

  /**
   * How the agent fares.
   *
   * @param away at which steps it does not run
   * @param reload steps before which the driver is reloaded
   */
  record Luck(IntPredicate away, IntPredicate reload) {
    static final Luck GOOD = new Luck(step -> false, step -> false);
  }

  /**
   * How long before its uncorrectable error GPU 0 was first named, by one detector.
   *
   * @param before share of the nodes in which it was named before that at all
   * @param early share of the nodes in which it was named while nothing was wrong yet
   * @param median hours, over all nodes; 0 where it was not named
   * @param tenth so many hours or more in nine of ten nodes
   */
  record Lead(double before, double early, double median, double tenth) {}

  /**
   * The rule is requested so often; an alarm that comes back within the release is the same one.
   */
  private static final int EVERY = ErrorTape.PER_HOUR / 2;

  private static final int RELEASE = 6 * ErrorTape.PER_HOUR;

  private final SbeAcceleration rule = new SbeAcceleration();
  private final RulePolicy policy;
  private final Seeds seeds;

  SbeStudy(RulePolicy policy, Seeds seeds) {
    this.policy = policy;
    this.seeds = seeds;
  }

  /** The presets, some of them changed. */
  static RulePolicy preset(Map<String, Double> changed) {
    SbeAcceleration rule = new SbeAcceleration();
    Map<String, Double> thresholds =
        new HashMap<>(
            rule.spec().thresholds().stream()
                .collect(Collectors.toMap(Threshold::name, Threshold::preset)));
    thresholds.putAll(changed);
    return new RulePolicy(rule.spec(), true, rule.spec().aws(), thresholds);
  }

  /** Alarms of each detector on healthy nodes, per 1,000 GPU-days. */
  Map<Detector, Double> alarms(LongFunction<ErrorTape> node, Luck luck) {
    Map<Detector, Double> alarms = new EnumMap<>(Detector.class);
    double days = 0;
    for (long seed = seeds.first(); seed < seeds.first() + seeds.count(); seed++) {
      ErrorTape tape = node.apply(seed);
      days += (double) tape.gpus() * tape.steps() / ErrorTape.PER_DAY;
      List<List<Integer>> found = found(tape, luck, tape.steps());
      for (Detector detector : Detector.values()) {
        for (int gpu = 0; gpu < tape.gpus(); gpu++) {
          List<Integer> steps = fired(detector, tape, found, gpu, tape.steps());
          alarms.merge(detector, (double) separate(steps), Double::sum);
        }
      }
    }
    double all = days;
    alarms.replaceAll((detector, number) -> number * 1000 / all);
    return alarms;
  }

  /**
   * Leads of each detector where GPU 0 degrades. Each of its corrected errors is as likely as any
   * other to be followed by the uncorrectable one.
   *
   * @param start step at which it starts to degrade
   * @param errors corrected errors for one uncorrectable one, in the mean
   */
  Map<Detector, Lead> leads(LongFunction<ErrorTape> node, Luck luck, int start, double errors) {
    Map<Detector, List<Double>> hours = new EnumMap<>(Detector.class);
    Map<Detector, Integer> early = new EnumMap<>(Detector.class);
    for (long seed = seeds.first(); seed < seeds.first() + seeds.count(); seed++) {
      ErrorTape tape = node.apply(seed);
      int end = end(tape, start, new Dice(~seed).exponential(errors));
      List<List<Integer>> found = found(tape, luck, end);
      for (Detector detector : Detector.values()) {
        List<Integer> steps = fired(detector, tape, found, 0, end);
        early.merge(detector, steps.stream().anyMatch(step -> step < start) ? 1 : 0, Integer::sum);
        int first = steps.stream().filter(step -> step >= start).findFirst().orElse(end);
        hours
            .computeIfAbsent(detector, d -> new ArrayList<>())
            .add((double) (end - first) / ErrorTape.PER_HOUR);
      }
    }
    Map<Detector, Lead> leads = new EnumMap<>(Detector.class);
    hours.forEach(
        (detector, each) -> leads.put(detector, lead(each, early.getOrDefault(detector, 0))));
    return leads;
  }

  private static Lead lead(List<Double> hours, int early) {
    List<Double> sorted = hours.stream().sorted().toList();
    double all = sorted.size();
    return new Lead(
        sorted.stream().filter(h -> h > 0).count() / all,
        early / all,
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() / 10));
  }

  /** The steps at which the rule named GPU 0 of one node. */
  List<Integer> named(ErrorTape tape) {
    return found(tape, Luck.GOOD, tape.steps()).get(0);
  }

  /** The steps at which the rule found something, for each GPU. */
  private List<List<Integer>> found(ErrorTape tape, Luck luck, int until) {
    List<List<Integer>> found = new ArrayList<>();
    IntStream.range(0, tape.gpus()).forEach(gpu -> found.add(new ArrayList<>()));
    ObservedTape watched = new ObservedTape(tape);
    for (int step = 0; step < until; step++) {
      if (luck.reload().test(step)) {
        watched.reload();
      }
      boolean away = luck.away().test(step);
      if (!away && step > 0 && luck.away().test(step - 1)) {
        watched.start();
      }
      watched.step(step, !away);
      if (!away && step % EVERY == 0) {
        NodeSnapshot view = watched.view();
        for (Detection detection : rule.evaluate(view, policy)) {
          found.get(watched.index(detection.subject())).add(step);
        }
      }
    }
    return found;
  }

  private static List<Integer> fired(
      Detector detector, ErrorTape tape, List<List<Integer>> byRule, int gpu, int until) {
    return detector == Detector.RULE
        ? byRule.get(gpu)
        : IntStream.range(0, until)
            .filter(step -> detector.fires(tape, gpu, step))
            .boxed()
            .toList();
  }

  private static int separate(List<Integer> steps) {
    int alarms = 0;
    int last = -RELEASE - 1;
    for (int step : steps) {
      alarms += step - last > RELEASE ? 1 : 0;
      last = step;
    }
    return alarms;
  }

  private static int end(ErrorTape tape, int start, double errors) {
    long sum = 0;
    for (int step = start; step < tape.steps(); step++) {
      sum += tape.at(0, step);
      if (sum >= errors) {
        return step;
      }
    }
    return tape.steps();
  }
}
