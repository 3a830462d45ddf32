package io.lapwing.agent.deep;

import io.lapwing.agent.deep.GpuTests.BusyException;
import io.lapwing.agent.deep.GpuTests.Listed;
import io.lapwing.agent.deep.GpuTests.Listing;
import io.lapwing.agent.deep.GpuTests.PeerCopies;
import io.lapwing.deep.DeepResult;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import io.lapwing.deep.DeepResult.ToolResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * One run within its deadline: each GPU by itself, one after the other, then the copies between.
 */
final class DeepRun {

  private static final Duration LISTING = Duration.ofSeconds(20);

  private final GpuTests tests;
  private final SiteTools tools;
  private final Duration eachGpu;
  private final long deadline;
  private final LongSupplier nanoTime;
  private final InstantSource clock;

  /** A run that may last for {@code total}, and for {@code eachGpu} on one GPU. */
  DeepRun(
      GpuTests tests,
      SiteTools tools,
      Duration eachGpu,
      Duration total,
      LongSupplier nanoTime,
      InstantSource clock) {
    this.tests = tests;
    this.tools = tools;
    this.eachGpu = eachGpu;
    this.nanoTime = nanoTime;
    this.deadline = nanoTime.getAsLong() + total.toNanos();
    this.clock = clock;
  }

  Listing list() throws InterruptedException {
    return tests.list(limit(LISTING).time());
  }

  DeepResult run(Listing listing, Judgement judgement) throws InterruptedException, BusyException {
    Map<Listed, List<TestResult>> results = new LinkedHashMap<>();
    for (Listed gpu : listing.gpus()) {
      results.put(gpu, new ArrayList<>(alone(gpu)));
    }
    List<Listed> sound =
        results.entrySet().stream()
            .filter(entry -> entry.getValue().stream().allMatch(DeepRun::measured))
            .map(Map.Entry::getKey)
            .toList();
    if (sound.size() > 1) {
      peers(sound).forEach((gpu, result) -> Objects.requireNonNull(results.get(gpu)).add(result));
    }
    List<ToolResult> ran = tools.run(() -> limit(Duration.ofMinutes(2)), listing.gpus().size());
    List<GpuResult> gpus = new ArrayList<>();
    results.forEach(
        (gpu, measured) -> gpus.add(new GpuResult(gpu.uuid(), gpu.index(), gpu.model(), measured)));
    return new DeepResult(clock.instant(), listing.simulated(), judgement.judge(gpus), ran);
  }

  private static boolean measured(TestResult test) {
    return test.outcome() == Outcome.PASSED;
  }

  private List<TestResult> alone(Listed gpu) throws InterruptedException, BusyException {
    if (gpu.mig()) {
      return untested("the GPU is divided into MIG instances");
    }
    TimeLimit limit = limit(eachGpu);
    return limit.isOver() ? untested(TimeLimit.NO_TIME) : tests.alone(gpu, limit);
  }

  private static List<TestResult> untested(String why) {
    return List.of(
        new TestResult(DeepTest.HOST_TO_DEVICE, Outcome.NOT_TESTED, OptionalDouble.empty(), why));
  }

  private Map<Listed, TestResult> peers(List<Listed> gpus)
      throws InterruptedException, BusyException {
    Map<Listed, PeerCopies> copies = new LinkedHashMap<>();
    for (Listed gpu : gpus) {
      TimeLimit limit = limit(eachGpu);
      List<Listed> others = gpus.stream().filter(other -> !other.equals(gpu)).toList();
      copies.put(
          gpu,
          limit.isOver()
              ? new PeerCopies(Map.of(), List.of(), Outcome.NOT_TESTED, TimeLimit.NO_TIME)
              : tests.peers(gpu, others, limit));
    }
    Set<String> blamed = blamed(copies);
    Map<Listed, TestResult> results = new LinkedHashMap<>();
    copies.forEach((gpu, done) -> peer(gpu, done, blamed, results));
    return results;
  }

  private static void peer(
      Listed gpu, PeerCopies done, Set<String> blamed, Map<Listed, TestResult> results) {
    if (blamed.contains(gpu.uuid())) {
      results.put(gpu, result(Outcome.WRONG, OptionalDouble.empty(), "copies differ"));
    } else if (done.outcome() != Outcome.PASSED) {
      results.put(gpu, result(done.outcome(), OptionalDouble.empty(), done.detail()));
    } else if (!done.rates().isEmpty()) {
      double median = Judgement.median(done.rates().values());
      results.put(gpu, result(Outcome.PASSED, OptionalDouble.of(median), ""));
    }
  }

  private static TestResult result(Outcome outcome, OptionalDouble rate, String detail) {
    return new TestResult(DeepTest.PEER_COPY, outcome, rate, detail);
  }

  /** Those with the most wrong copies to and from them: a defective GPU has one with each other. */
  private static Set<String> blamed(Map<Listed, PeerCopies> copies) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    copies.forEach(
        (gpu, done) ->
            done.wrong()
                .forEach(
                    peer -> {
                      counts.merge(gpu.uuid(), 1, Integer::sum);
                      counts.merge(peer, 1, Integer::sum);
                    }));
    int most = counts.values().stream().max(Integer::compare).orElse(0);
    Set<String> blamed = new HashSet<>(counts.keySet());
    blamed.removeIf(uuid -> counts.getOrDefault(uuid, 0) < most);
    return blamed;
  }

  /** What is left, at most that long. */
  private TimeLimit limit(Duration most) {
    return TimeLimit.of(most, Duration.ofNanos(deadline - nanoTime.getAsLong()));
  }
}
