package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/**
 * Each call of NVML that the agent makes never returns: for each an agent, all at once, since most
 * of the time is spent waiting until a finding holds.
 */
@Tag("slow")
@Execution(CONCURRENT)
class NvmlHangTest {

  private static final String EIGHT_GPUS = "p5.48xlarge";
  private static final String ONE_GPU = "g6.xlarge";
  private static final int WITNESS = 7;

  @TempDir Path dir;

  private final Map<List<String>, HangingAgent> agents = new LinkedHashMap<>();

  @AfterEach
  void end() {
    agents.values().forEach(HangingAgent::close);
  }

  private void start(String type, List<List<String>> calls) throws Exception {
    for (List<String> some : calls) {
      agents.put(some, HangingAgent.start(dir.resolve(some.get(0)), type, flags(some)));
    }
    agents.values().forEach(HangingAgent::awaitHealthy);
  }

  /** Some calls are made only for labels that a field file asks for. */
  private List<String> flags(List<String> calls) throws IOException {
    if (!NvmlCalls.FOR_LABELS.containsAll(calls)) {
      return List.of();
    }
    Path fields = dir.resolve("fields.csv");
    Files.writeString(
        fields,
        """
        DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION, counter, mJ
        DCGM_FI_DEV_BRAND, label, brand
        DCGM_FI_DEV_ECC_INFOROM_VER, label, version
        """);
    return List.of("--gpu.fields=" + fields);
  }

  private static List<List<String>> single(Iterable<String> calls) {
    List<List<String>> each = new ArrayList<>();
    calls.forEach(call -> each.add(List.of(call)));
    return each;
  }

  /** As many at once as there are GPUs, but for one that shows that the others go on. */
  @Test
  void aCallAboutAGpuCostsThatGpuUntilItReturns() throws Exception {
    List<String> all = NvmlCalls.ofOneGpu();
    List<List<String>> batches = new ArrayList<>();
    for (int from = 0; from < all.size(); from += WITNESS) {
      batches.add(all.subList(from, Math.min(all.size(), from + WITNESS)));
    }
    batches.add(NvmlCalls.FOR_LABELS);
    start(EIGHT_GPUS, batches);
    agents.forEach(
        (calls, agent) -> {
          Map<String, String> lines = new LinkedHashMap<>();
          for (int gpu = 0; gpu < calls.size(); gpu++) {
            lines.putAll(NvmlCalls.hanging("gpu." + gpu, calls.get(gpu)));
          }
          agent.hang(lines, NvmlCalls.occasion(calls.get(0)));
        });

    for (Map.Entry<List<String>, HangingAgent> one : agents.entrySet()) {
      List<String> calls = one.getKey();
      HangingAgent agent = one.getValue();
      Observed hung = agent.awaitPage(seen -> seen.hung().size() == calls.size());
      assertThat(hung.gpusUp()).as("%s", calls).isEqualTo(8.0 - calls.size());
      assertThat(hung.value("lapwing_gpu_driver_up")).hasValue(1.0);
      agent.awaitFresh(WITNESS);
      Observed judged = agent.awaitPage(seen -> seen.gpusWith("gpu_hung") == calls.size());
      judged.keep("nvml-gpu", "while these hang, a GPU each: " + calls);
      assertThat(judged.verdict()).as("failing after two minutes").isEqualTo("unknown");
      agent.heal();
    }
    for (HangingAgent agent : agents.values()) {
      agent.awaitPage(seen -> seen.hung().isEmpty() && seen.gpusUp() == 8);
      agent.awaitPage(seen -> seen.verdict().equals("healthy")).keep("nvml-gpu", "afterwards");
    }
  }

  @Test
  void aCallThatEveryGpuMakesCostsTheGpusAndNotThePage() throws Exception {
    start(EIGHT_GPUS, single(NvmlCalls.ofEveryGpu()));
    hangEach("system");
    for (Map.Entry<List<String>, HangingAgent> one : agents.entrySet()) {
      HangingAgent agent = one.getValue();
      agent.awaitPage(seen -> seen.gpusUp() == 0 && seen.hung().contains("gpu0"));
      agent
          .awaitPage(seen -> seen.gpusWith("gpu_hung") == 8 && seen.verdict().equals("unknown"))
          .keep("nvml-every-gpu", "while this hangs: " + one.getKey());
      agent.heal();
    }
    for (HangingAgent agent : agents.values()) {
      agent.awaitPage(seen -> seen.hung().isEmpty() && seen.gpusUp() == 8);
    }
  }

  @Test
  void aCallToTheDriverIsADriverThatHangs() throws Exception {
    start(ONE_GPU, single(NvmlCalls.ofTheDriver()));
    hangEach("system");
    for (Map.Entry<List<String>, HangingAgent> one : agents.entrySet()) {
      HangingAgent agent = one.getValue();
      agent.awaitPage(seen -> seen.hung().contains("nvml"));
      Observed judged =
          agent.awaitPage(
              seen -> seen.rules().contains("driver_hung") && seen.verdict().equals("unknown"));
      judged.keep("nvml-driver", "while this hangs: " + one.getKey());
      assertThat(judged.value("lapwing_gpu_driver_up")).hasValue(0.0);
      assertThat(judged.rules()).doesNotContain("gpu_lost", "driver_down");
      agent.heal();
    }
    for (HangingAgent agent : agents.values()) {
      agent.awaitPage(seen -> seen.hung().isEmpty() && seen.gpusUp() == 1);
      agent.awaitPage(seen -> seen.verdict().equals("healthy")).keep("nvml-driver", "afterwards");
    }
  }

  /**
   * The kernel log reports XIDs too, so the node is healthy again after the reload; the page names
   * the source that is missing.
   */
  @Test
  void aHungListenerMakesXidEventsUnavailable() throws Exception {
    start(ONE_GPU, single(NvmlCalls.OF_EVENTS));
    hangEach("");
    for (Map.Entry<List<String>, HangingAgent> one : agents.entrySet()) {
      HangingAgent agent = one.getValue();
      Observed deaf =
          agent.awaitPage(
              seen ->
                  seen.value("lapwing_gpu_xid_listening").orElse(1.0) == 0
                      && seen.value("lapwing_gpu_driver_reloads_total").orElse(0.0) == 1
                      && seen.gpusUp() == 1
                      && seen.verdict().equals("healthy"));
      deaf.keep("nvml-events", "while this hangs: " + one.getKey());
      assertThat(deaf.hung()).isEmpty();
      agent.faulty().kmsg().append(agent.faulty().xidOf(0, 95, "pid=7, name=x, Uncontained"));
      agent.awaitPage(seen -> seen.verdict().equals("failing"));
      agent.heal();
    }
    for (HangingAgent agent : agents.values()) {
      agent.awaitPage(seen -> seen.value("lapwing_gpu_xid_listening").orElse(0.0) == 1);
    }
  }

  /** With a GPU in front of it where the call names one. */
  private void hangEach(String place) {
    agents.forEach(
        (calls, agent) -> {
          String call = calls.get(0);
          String own = call.startsWith("nvmlDevice") ? "gpu.0" : "system";
          agent.hang(
              NvmlCalls.hanging(place.isEmpty() ? own : place, call), NvmlCalls.occasion(call));
        });
  }

  @Test
  void whetherGpusReachEachOtherCostsOnlyThatAnswer() throws Exception {
    start(EIGHT_GPUS, List.of(List.of(NvmlCalls.OF_PEERS)));
    hangEach("gpu.2");
    HangingAgent agent = agents.values().iterator().next();

    Observed hung = agent.awaitPage(seen -> seen.hung().equals(Set.of("gpu_peers")));

    assertThat(hung.page().samples("DCGM_EXP_P2P_STATUS")).isEmpty();
    agent.awaitFresh(2);
    agent
        .awaitPage(seen -> seen.hung().equals(Set.of("gpu_peers")) && seen.gpusUp() == 8)
        .keep("nvml-peers", "while this hangs: " + NvmlCalls.OF_PEERS);
    agent.heal();
    agent.awaitPage(seen -> seen.page().samples("DCGM_EXP_P2P_STATUS").size() == 56);
  }

  @Test
  void everyCallOfTheBindingIsTried() {
    List<String> tried = new ArrayList<>(NvmlCalls.ofOneGpu());
    tried.addAll(NvmlCalls.FOR_LABELS);
    tried.addAll(NvmlCalls.ofEveryGpu());
    tried.addAll(NvmlCalls.ofTheDriver());
    tried.addAll(NvmlCalls.OF_EVENTS);
    tried.add(NvmlCalls.OF_PEERS);

    assertThat(tried).containsExactlyInAnyOrderElementsOf(NvmlCalls.all());
  }
}
