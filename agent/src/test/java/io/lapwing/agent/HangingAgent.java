package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import io.lapwing.simulator.InstanceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** An agent on a node of its own whose driver never returns from some calls. */
final class HangingAgent implements AutoCloseable {

  /** Many of them start at once, and what is found has to hold for up to half a minute. */
  private static final Duration LONG = Duration.ofMinutes(4);

  private final FaultyAgent faulty;
  private final AgentProcess process;
  private Map<String, String> lines = Map.of();

  private HangingAgent(FaultyAgent faulty, AgentProcess process) {
    this.faulty = faulty;
    this.process = process;
  }

  /** Starts it; whether it is up is for {@link #awaitHealthy}. */
  static HangingAgent start(Path dir, String type, List<String> flags) throws IOException {
    FaultyAgent faulty = FaultyAgent.on(Files.createDirectory(dir), InstanceType.named(type));
    List<String> words = faulty.arguments("--cadence.medium=1s", "--cadence.slow=2s");
    words.addAll(flags);
    return new HangingAgent(faulty, AgentProcess.start(dir, words));
  }

  void awaitHealthy() {
    // A process that is not up after half a minute is waited for once more: there are many of them.
    await()
        .atMost(LONG)
        .ignoreExceptions()
        .until(() -> process.get("/-/ready").statusCode() == 200);
    awaitPage(seen -> seen.verdict().equals("healthy"));
  }

  /** Lets these calls hang, and sees to it that they are made. */
  void hang(Map<String, String> calls, Map<String, String> occasion) {
    Map<String, String> all = new LinkedHashMap<>(calls);
    all.putAll(occasion);
    lines = Map.copyOf(calls);
    faulty.node().setAll(all);
  }

  void heal() {
    faulty.node().change(Map.of(), List.copyOf(lines.keySet()));
  }

  Observed awaitPage(Predicate<Observed> wanted) {
    return await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> Observed.of(process), wanted);
  }

  /** The page is served, and what does not hang is fresh on it. */
  void awaitFresh(int gpu) {
    double before = energy(Observed.of(process), gpu);
    awaitPage(seen -> energy(seen, gpu) > before);
  }

  private static double energy(Observed seen, int gpu) {
    return seen.value("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "gpu", String.valueOf(gpu))
        .orElse(0.0);
  }

  FaultyAgent faulty() {
    return faulty;
  }

  @Override
  public void close() {
    process.close();
  }
}
