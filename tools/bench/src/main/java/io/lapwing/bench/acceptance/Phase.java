package io.lapwing.bench.acceptance;

import io.lapwing.bench.MetricsPage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A period with constant load: repeated readings of nvidia-smi, and a scrape of the agent at the
 * end.
 *
 * @param readings one list of GPUs for each run of nvidia-smi
 * @param text the agent's page, and {@code page} what it says
 * @param counters of NVLinks, at the begin and the end of the readings
 * @param dcgmi what DCGM's client prints if the agent uses a host engine
 */
record Phase(
    String name,
    List<List<SmiGpu>> readings,
    String text,
    MetricsPage page,
    NvlinkOutput nvlinks,
    List<NvlinkOutput> counters,
    DcgmiOutput dcgmi) {

  private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);

  /**
   * Reads for a while. The first half is discarded, because clocks, power and memory still change.
   */
  static Phase watch(String name, Duration length, AgentUnderTest agent)
      throws IOException, InterruptedException {
    Thread.sleep(length.toMillis() / 2);
    long end = System.nanoTime() + length.toNanos() / 2;
    List<List<SmiGpu>> readings = new ArrayList<>();
    NvlinkOutput first = NvlinkOutput.counters();
    do {
      readings.add(NvidiaSmi.query());
      Thread.sleep(BETWEEN_READINGS.toMillis());
    } while (System.nanoTime() < end);
    DcgmiOutput dcgmi = dcgmi(agent.page());
    String page = agent.page();
    readings.add(NvidiaSmi.query());
    return new Phase(
        name,
        readings,
        page,
        MetricsPage.parse(page),
        NvlinkOutput.status(),
        List.of(first, NvlinkOutput.counters()),
        dcgmi);
  }

  private static DcgmiOutput dcgmi(String page) throws InterruptedException {
    Optional<String> engine = DcgmChecks.engine(MetricsPage.parse(page));
    return engine.isPresent()
        ? DcgmiOutput.read(engine.get(), DcgmChecks.fields())
        : DcgmiOutput.without("the agent uses no engine that dcgmi can reach");
  }

  List<SmiGpu> gpus() {
    return readings.get(0);
  }

  /** All readings of one quantity of one GPU. */
  List<Double> observed(int gpu, Function<SmiGpu, OptionalDouble> quantity) {
    return readings.stream()
        .filter(reading -> gpu < reading.size())
        .flatMap(reading -> quantity.apply(reading.get(gpu)).stream().boxed())
        .toList();
  }
}
