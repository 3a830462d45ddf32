package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlGpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code RecordMain NVML-LIBRARY DCGM-ENGINE DCGM-LIBRARY PROCFS KEEP-IDS FILE}: makes every NVML
 * call of the agent's port, asks a host engine of DCGM that runs what the agent would ask it, and
 * writes the results as a state of the simulator. DCGM-ENGINE is as {@code --dcgm.engine}; an empty
 * DCGM library is the default one; PROCFS shows whether an engine listens; KEEP-IDS is {@code true}
 * or {@code false}.
 *
 * <p>Prints {@code replaced REAL MADE-UP} for each UUID and serial number, {@code recorded WHAT}
 * for what DCGM answered, {@code absent WHAT: WHY} for what is not recorded, {@code differs WHAT}
 * for each answer that the simulator cannot give, and {@code problem MESSAGE} before it ends with
 * 1.
 */
public final class RecordMain {

  /** Between the two samples whose average is the activity. */
  private static final long BETWEEN_SAMPLES_MILLIS = 2000;

  /** Several times as long as an engine takes that answers. */
  private static final Duration DCGM_AT_MOST = Duration.ofSeconds(90);

  private RecordMain() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Reading<Nvml> loaded = JnaNvml.load(arguments[0], System::nanoTime);
    Reading<Nvml> ready = loaded.flatMap(nvml -> nvml.init().map(done -> nvml));
    if (!(ready instanceof Reading.Present<Nvml> present)) {
      System.out.println(
          "problem " + arguments[0] + ": " + ready.failure().orElse("has no nvmlInit"));
      System.exit(1);
      return;
    }
    Nvml nvml = present.value();
    StateLines lines = new StateLines();
    Identities identities = new Identities(Boolean.parseBoolean(arguments[4]));
    List<NvmlGpu> gpus = open(nvml, lines);
    read(gpus, lines, identities);
    DcgmRecording.read(
        new DcgmRecording.Place(
            arguments[1],
            Optional.of(arguments[2]).filter(library -> !library.isEmpty()),
            Path.of(arguments[3])),
        indices(gpus),
        withoutGpm(gpus),
        DCGM_AT_MOST,
        lines);
    gpus.forEach(NvmlGpu::close);
    nvml.shutdown();
    Files.writeString(Path.of(arguments[5]), lines.text());
    identities
        .replaced()
        .forEach((real, made) -> System.out.println("replaced " + real + " " + made));
    lines.parts().forEach(part -> System.out.println("recorded " + part));
    lines.absent().forEach(what -> System.out.println("absent " + what));
    lines.notes().forEach(note -> System.out.println("differs " + note));
  }

  private static List<NvmlGpu> open(Nvml nvml, StateLines lines) {
    nvml.versions()
        .toOptional()
        .ifPresent(
            versions -> {
              lines.put("driver.version", versions.driver());
              lines.put("nvml.version", versions.nvml());
              if (!versions.cuda().isEmpty()) {
                lines.put("cuda.version", versions.cuda());
              }
            });
    int count = nvml.gpuCount().toOptional().orElse(0);
    lines.put("gpu.count", String.valueOf(count));
    List<NvmlGpu> gpus = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      Reading<NvmlGpu> gpu = nvml.gpu(index);
      gpu.toOptional().ifPresent(gpus::add);
      if (gpu.toOptional().isEmpty()) {
        lines.put("gpu." + index + ".lost", "1");
        lines.note("gpu." + index + " cannot be opened: " + gpu.failure().orElse("unsupported"));
      }
    }
    return gpus;
  }

  /** Every question about these GPUs; takes as long as two samples of activity are apart. */
  static void read(List<NvmlGpu> gpus, StateLines lines, Identities identities)
      throws InterruptedException {
    List<ActivityRecording> activities =
        gpus.stream().map(gpu -> new ActivityRecording(gpu, lines, identities)).toList();
    activities.forEach(ActivityRecording::begin);
    Thread.sleep(BETWEEN_SAMPLES_MILLIS);
    activities.forEach(ActivityRecording::end);
    for (NvmlGpu gpu : gpus) {
      new GpuRecording(gpu, lines, identities).read();
      FieldRecording.read(gpu, lines);
      peers(gpu, gpus, lines);
    }
  }

  private static void peers(NvmlGpu gpu, List<NvmlGpu> all, StateLines lines) {
    for (NvmlGpu peer : all) {
      if (peer.index() != gpu.index()) {
        Reading<Integer> status = gpu.p2pStatus(peer);
        if (status instanceof Reading.Unsupported || status instanceof Reading.Missing) {
          lines.put(
              "gpu." + gpu.index() + ".return.nvmlDeviceGetP2PStatus",
              String.valueOf(StateLines.code(status)));
        } else if (status.toOptional().orElse(-1) != 0) {
          lines.note("gpu." + gpu.index() + ": the path to GPU " + peer.index() + " is " + status);
        }
      }
    }
  }

  /** By UUID: DCGM's numbers of GPUs may differ from NVML's. */
  private static Map<String, Integer> indices(List<NvmlGpu> gpus) {
    Map<String, Integer> found = new LinkedHashMap<>();
    gpus.forEach(gpu -> gpu.uuid().toOptional().ifPresent(uuid -> found.put(uuid, gpu.index())));
    return found;
  }

  private static Set<Integer> withoutGpm(List<NvmlGpu> gpus) {
    Set<Integer> found = new TreeSet<>();
    for (NvmlGpu gpu : gpus) {
      Reading<?> activity = gpu.gpm(List.of());
      if (activity instanceof Reading.Unsupported || activity instanceof Reading.Missing) {
        found.add(gpu.index());
      }
    }
    return found;
  }
}
