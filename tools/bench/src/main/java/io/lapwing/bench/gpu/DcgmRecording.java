package io.lapwing.bench.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.dcgm.JnaDcgm;
import io.lapwing.gpu.HostEngineAccess;
import io.lapwing.gpu.HostEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the agent asks DCGM's host engine, as lines of a state: the activity of GPUs without GPM and
 * of their MIG instances, NVSwitches and their links, Grace CPUs, IMEX, policies and health.
 */
final class DcgmRecording {

  private static final String DCGM = "DCGM";

  /**
   * Where the engine is.
   *
   * @param engine as of {@code --dcgm.engine}
   * @param library as of {@code --dcgm.library}
   * @param procfs shows who listens on this node
   */
  record Place(String engine, Optional<String> library, Path procfs) {}

  /** What NVML answered, which does not change any more, and the answers of DCGM. */
  private record Answers(StateLines nvml, StateLines dcgm) {}

  private DcgmRecording() {}

  /**
   * Connects to an engine that runs. None is started, not even an embedded one: a second engine
   * beside another client's may dead-lock the driver. An engine that hangs ends the wait, not the
   * recording.
   *
   * @param gpus indices of NVML by UUID
   * @param withoutGpm indices of GPUs whose activity the agent asks DCGM for
   */
  static void read(
      Place place,
      Map<String, Integer> gpus,
      Set<Integer> withoutGpm,
      Duration atMost,
      StateLines lines)
      throws InterruptedException {
    StateLines answers = new StateLines();
    Thread thread =
        new Thread(
            () -> connect(place, gpus, withoutGpm, new Answers(lines, answers)), "dcgm-recording");
    thread.setDaemon(true);
    thread.start();
    thread.join(atMost.toMillis());
    if (thread.isAlive()) {
      withoutEngine(lines, "the host engine did not answer within " + atMost.toSeconds() + " s");
    } else {
      lines.addAll(answers);
    }
  }

  /** The played node has no engine that would answer in its place. */
  private static void withoutEngine(StateLines lines, String why) {
    lines.put("dcgm.engine", "0");
    lines.absent(DCGM, why);
  }

  private static void connect(
      Place place, Map<String, Integer> gpus, Set<Integer> withoutGpm, Answers answers) {
    StateLines lines = answers.dcgm();
    if (place.engine().equals("off")) {
      withoutEngine(lines, "--dcgm.engine=off");
      return;
    }
    HostEngineAccess access =
        new HostEngineAccess(
            mode(place.engine()),
            new HostEngines(place.procfs()),
            () -> JnaDcgm.load(place.library().map(List::of).orElse(JnaDcgm.DEFAULT_LIBRARIES)));
    HostEngineAccess.Result found = access.open(true);
    if (found instanceof HostEngineAccess.Opened opened) {
      versions(opened, lines);
      try (DcgmEngine engine = opened.engine()) {
        record(engine, gpus, withoutGpm, answers);
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    } else if (found instanceof HostEngineAccess.Refused refused) {
      withoutEngine(lines, why(refused.access()));
    }
  }

  private static DcgmMode mode(String engine) {
    return engine.equals("auto") || engine.equals("embedded")
        ? new DcgmMode.Auto()
        : new DcgmMode.At(DcgmAddress.of(engine));
  }

  private static String why(Access access) {
    return access instanceof Access.Down down
        ? down.why()
        : access instanceof Access.NothingHere nothing ? nothing.why() : "not there";
  }

  private static void record(
      DcgmEngine engine, Map<String, Integer> indices, Set<Integer> withoutGpm, Answers answers)
      throws InterruptedException {
    StateLines lines = answers.dcgm();
    Reading<List<DcgmEntity>> listed = engine.entities(DcgmEntity.Kind.GPU);
    if (!(listed instanceof Reading.Present<List<DcgmEntity>> present)) {
      lines.absent(DCGM, "the host engine lists no GPUs: " + DcgmSampling.reason(listed));
      return;
    }
    Map<Integer, DcgmEntity> gpus = new TreeMap<>();
    for (DcgmEntity gpu : present.value()) {
      engine.uuid(gpu).toOptional().map(indices::get).ifPresent(index -> gpus.put(index, gpu));
    }
    lines.has(DCGM + ": " + gpus.size() + " GPUs of the host engine " + engine.version());
    DcgmSampling sampling = new DcgmSampling(engine, lines);
    new DcgmActivityRecording(engine, sampling, answers.nvml(), lines).read(gpus, withoutGpm);
    new DcgmSwitchRecording(engine, sampling, lines).read();
    DcgmNodeRecording node = new DcgmNodeRecording(engine, sampling, lines);
    node.cpus();
    node.imex(gpus.values());
    node.policies(gpus);
    node.health(gpus);
  }

  /** The simulator's library of DCGM 4 can have any version of DCGM 4. */
  private static void versions(HostEngineAccess.Opened opened, StateLines lines) {
    lines.put("dcgm.version", opened.engine().version());
    if (opened.libraryVersion().startsWith("4.")) {
      lines.put("dcgm.library.version", opened.libraryVersion());
    } else {
      lines.note(
          "dcgm: recorded with libdcgm " + opened.libraryVersion() + ": play it with libdcgm.so.3");
    }
  }
}
