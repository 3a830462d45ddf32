package io.lapwing.bench.acceptance;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A stretch of time in which the GPUs do one thing: what nvidia-smi said again and again, and the
 * agent's page at its end.
 *
 * @param readings one list of GPUs for each time that nvidia-smi was asked
 */
record Phase(String name, List<List<SmiGpu>> readings, ScrapedPage page) {

  private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);

  /**
   * Watches for a while. The first half is left out: clocks, power and memory are still on their
   * way from one state to the other.
   */
  static Phase watch(String name, Duration length, AgentUnderTest agent)
      throws IOException, InterruptedException {
    Thread.sleep(length.toMillis() / 2);
    long end = System.nanoTime() + length.toNanos() / 2;
    List<List<SmiGpu>> readings = new ArrayList<>();
    do {
      readings.add(NvidiaSmi.query());
      Thread.sleep(BETWEEN_READINGS.toMillis());
    } while (System.nanoTime() < end);
    ScrapedPage page = agent.scrape();
    readings.add(NvidiaSmi.query());
    return new Phase(name, readings, page);
  }

  List<SmiGpu> gpus() {
    return readings.get(0);
  }

  /** Everything that nvidia-smi gave for one quantity of one GPU. */
  List<Double> observed(int gpu, Function<SmiGpu, OptionalDouble> quantity) {
    return readings.stream()
        .filter(reading -> gpu < reading.size())
        .flatMap(reading -> quantity.apply(reading.get(gpu)).stream().boxed())
        .toList();
  }
}
