package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Detector;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Lead;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Luck;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Seeds;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the tables of docs/decisions/0008-sbe-acceleration.md. */
final class SbeTables {

  private static final Luck AWAY = new Luck(step -> step % 576 > 504, step -> false);
  private static final Luck RELOADED = new Luck(step -> false, step -> step % 576 == 0);

  private final SbeStudy study;
  private final Seeds seeds;

  private SbeTables(SbeStudy study, Seeds seeds) {
    this.study = study;
    this.seeds = seeds;
  }

  /** Takes minutes. Arguments: the first seed, the number of nodes, thresholds as name=value. */
  public static void main(String[] arguments) {
    cost();
    Seeds seeds = new Seeds(Long.parseLong(arguments[0]), Integer.parseInt(arguments[1]));
    Map<String, Double> changed = new HashMap<>();
    for (int i = 2; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      changed.put(
          arguments[i].substring(0, equals),
          Double.parseDouble(arguments[i].substring(equals + 1)));
    }
    SbeTables tables = new SbeTables(new SbeStudy(SbeStudy.preset(changed), seeds), seeds);
    tables.noise();
    tables.gpusThatDegrade();
    tables.newNormal();
  }

  private void noise() {
    head("alarms per 1,000 GPU-days, %d nodes of 30 days");
    noise("one stray a month", s -> SbeNodes.strays(8, 30, 1 / 720.0, s));
    noise("one stray a day", s -> SbeNodes.strays(8, 30, 1 / 24.0, s));
    noise("one stray in 2 h", s -> SbeNodes.strays(8, 30, 0.5, s));
    noise("a burst in 30 days", s -> SbeNodes.bursts(8, 30, s));
    noise("a burst in 7 days", s -> SbeNodes.bursts(8, 7, s));
    noise("a burst a day", s -> SbeNodes.bursts(8, 1, s));
    noise("4 bursts a day", s -> SbeNodes.bursts(8, 0.25, s));
    noise("episodes of 1 to 3 h", s -> SbeNodes.episodes(3, s));
    noise("episodes of 1 to 12 h", s -> SbeNodes.episodes(12, s));
    noise("all 50/h", s -> SbeNodes.noisy(8, 50, 50, 2, s));
    noise("all 50/h, one 100/h", s -> SbeNodes.noisy(8, 100, 50, 2, s));
    noise("all 5/h, very uneven (shape 0.1)", s -> SbeNodes.noisy(8, 5, 5, 0.1, s));
    noise("one 50/h, the others none", s -> SbeNodes.noisy(8, 50, 0, 2, s));
    noise("daily waves", s -> SbeNodes.waves(8, s));
    noise("daily waves, single GPU", s -> SbeNodes.waves(1, s));
    noise("one 5/h, very uneven, single GPU", s -> SbeNodes.noisy(1, 5, 5, 0.1, s));
    noise("a burst a day, single GPU", s -> SbeNodes.bursts(1, 1, s));
    noise("a burst in 7 days, agent away 6 h of 48", s -> SbeNodes.bursts(8, 7, s), AWAY);
    noise("daily waves, agent away 6 h of 48", s -> SbeNodes.waves(8, s), AWAY);
    noise("a burst in 7 days, driver reload every 48 h", s -> SbeNodes.bursts(8, 7, s), RELOADED);
  }

  private void gpusThatDegrade() {
    for (double errors : new double[] {100, 1000, 10_000}) {
      line("");
      head(String.format(Locale.ROOT, "%.0f SBE for one DBE", errors) + ", %d nodes");
      for (double hours : new double[] {4, 12, 24, 48}) {
        String name = String.format(Locale.ROOT, "doubles in %.0f h", hours);
        degrading(name, s -> SbeNodes.doubling(8, hours, s), Luck.GOOD, errors);
      }
      degrading("doubles in 12 h, single GPU", s -> SbeNodes.doubling(1, 12, s), Luck.GOOD, errors);
      degrading("doubles in 12 h, away 6 h of 48", s -> SbeNodes.doubling(8, 12, s), AWAY, errors);
      degrading("1/h more a day", s -> SbeNodes.linear(1, s), Luck.GOOD, errors);
      degrading("10/h more a day", s -> SbeNodes.linear(10, s), Luck.GOOD, errors);
      degrading("at once 20/h", s -> SbeNodes.step(20, s), Luck.GOOD, errors);
    }
  }

  private void newNormal() {
    line("");
    for (double rate : new double[] {1, 3, 20, 1000}) {
      List<Integer> named = study.named(SbeNodes.step(rate, seeds.first()));
      line(
          "at once %.0f/h, and it stays: %s",
          rate,
          named.isEmpty()
              ? "never named"
              : String.format(
                  Locale.ROOT,
                  "named after %.1f h, last after %.1f days",
                  (named.get(0) - SbeNodes.START) / (double) ErrorTape.PER_HOUR,
                  (named.get(named.size() - 1) - SbeNodes.START) / (double) ErrorTape.PER_DAY));
    }
  }

  /** 2,000 events of 8 GPUs with hourly growth; one of them is the outlier. */
  private static void cost() {
    List<Event> events = new ArrayList<>();
    events.add(new Event.Started(ObservedTape.START, "1"));
    for (int i = 1; i <= 250; i++) {
      Instant at = ObservedTape.START.plusSeconds(3600L * i);
      for (int gpu = 0; gpu < 8; gpu++) {
        long each = gpu == 0 && i > 245 ? 500 : 3;
        events.add(
            new Event.EccGrowth(
                at, at.minusSeconds(3600), ObservedTape.uuid(gpu), true, i, i + each));
      }
    }
    List<GpuStatus> gpus = new ArrayList<>();
    for (int gpu = 0; gpu < 8; gpu++) {
      gpus.add(ObservedTape.gpu(gpu, 260));
    }
    NodeSnapshot view =
        ObservedTape.view(ObservedTape.START.plusSeconds(3600L * 250), gpus, events);
    SbeAcceleration rule = new SbeAcceleration();
    RulePolicy policy = SbeStudy.preset(Map.of());
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    rule.evaluate(view, policy);
    long cold = threads.getCurrentThreadCpuTime() - start;
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      start = i == 10_000 ? threads.getCurrentThreadCpuTime() : start;
      found += rule.evaluate(view, policy).size();
    }
    line(
        "8 GPUs, 2,000 events, %d finding: %.0f us a look when warm, %.1f ms the first",
        found / 20_000, (threads.getCurrentThreadCpuTime() - start) / 1e3 / 10_000, cold / 1e6);
  }

  private void noise(String name, LongFunction<ErrorTape> node) {
    noise(name, node, Luck.GOOD);
  }

  private void noise(String name, LongFunction<ErrorTape> node, Luck luck) {
    Map<Detector, Double> alarms = study.alarms(node, luck);
    row(name, d -> String.format(Locale.ROOT, "%.1f", alarms.getOrDefault(d, 0.0)));
  }

  private void degrading(String name, LongFunction<ErrorTape> node, Luck luck, double errors) {
    Map<Detector, Lead> leads = study.leads(node, luck, SbeNodes.START, errors);
    row(name, d -> text(leads.getOrDefault(d, new Lead(0, 0, 0, 0))));
  }

  private static String text(Lead lead) {
    return String.format(
        Locale.ROOT, "%.0f %%, %.0f, %.0f", 100 * lead.before(), lead.median(), lead.tenth());
  }

  private void head(String what) {
    line("| " + what + " | rule | >0 in 10 min | >100 in 1 h | >100 in 24 h |", seeds.count());
    line("|---|---|---|---|---|");
  }

  private static void row(String name, Function<Detector, String> cell) {
    line(
        "| %s | %s |",
        name, Stream.of(Detector.values()).map(cell).collect(Collectors.joining(" | ")));
  }

  private static void line(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
