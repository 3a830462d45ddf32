package io.lapwing.agent.deep;

import io.lapwing.collect.Reading;
import io.lapwing.cuda.CudaDriver;
import io.lapwing.cuda.CudaException;
import io.lapwing.cuda.CudaGpu;
import io.lapwing.cuda.CudaGpu.Buffers;
import io.lapwing.cuda.CudaGpu.Measured;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlGpu;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The process that calls the driver, and is killed if a call hangs. It prints a line for each fact:
 *
 * <pre>
 * gpu INDEX UUID PROCESSES MIG MODEL     list
 * simulated
 * begin TEST                             before each test; the last one without a result hung
 * test TEST right|wrong PER_SECOND PEER  PEER is a UUID or -
 * error TEST gpu|other MESSAGE
 * busy UUID                              it has compute processes: nothing was tested
 * problem MESSAGE                        nothing can be tested
 * </pre>
 */
public record GpuWorker(PrintStream out) {

  /** The hidden command of {@code Main}. */
  public static final String COMMAND = "deep-check-worker";

  static final String LIST = "list";
  static final String TEST = "test";
  static final String PEERS = "peers";

  private static final int STEPS = 4096;

  /** How much work: a simulated GPU computes and copies on the host. */
  private record Load(long bytes, int copies, int launches, int rounds) {
    static final Load REAL = new Load(256L << 20, 20, 1000, 8);
    static final Load SIMULATED = new Load(1L << 20, 4, 2, 1);
  }

  private interface Step {
    Measured measure() throws CudaException;
  }

  /**
   * {@code list NVML}; {@code test NVML CUDA UUID}; {@code peers NVML CUDA UUID UUID...}; an empty
   * NVML is not used.
   */
  public int run(List<String> args) {
    switch (args.get(0)) {
      case LIST -> list(args.get(1));
      case TEST, PEERS -> test(args);
      default -> say("problem unknown work " + args.get(0));
    }
    return 0;
  }

  private void list(String library) {
    List<NvmlGpu> gpus = open(library);
    for (NvmlGpu gpu : gpus) {
      describe(gpu.index(), gpu);
    }
  }

  private List<NvmlGpu> open(String library) {
    Reading<Nvml> loaded = JnaNvml.load(library, System::nanoTime);
    if (!(loaded instanceof Reading.Present<Nvml> present)) {
      say("problem " + library + ": " + loaded.failure().orElse("missing"));
      return List.of();
    }
    Nvml nvml = present.value();
    Optional<String> down = nvml.init().failure();
    Optional<Integer> count = nvml.gpuCount().toOptional();
    if (down.isPresent() || count.isEmpty()) {
      say("problem NVML: " + down.orElse("the number of GPUs is unknown"));
      return List.of();
    }
    if (nvml.simulated()) {
      say("simulated");
    }
    List<NvmlGpu> gpus = new ArrayList<>();
    for (int i = 0; i < count.get(); i++) {
      Reading<NvmlGpu> gpu = nvml.gpu(i);
      gpu.toOptional().ifPresent(gpus::add);
      if (gpu.toOptional().isEmpty()) {
        say("problem GPU " + i + ": NVML: " + gpu.failure().orElse("missing"));
      }
    }
    return gpus;
  }

  /** Checked here too: a job may have started since the list was made. */
  private boolean idle(String library, List<String> uuids) {
    boolean idle = true;
    for (NvmlGpu gpu : library.isEmpty() ? List.<NvmlGpu>of() : open(library)) {
      String uuid = gpu.uuid().toOptional().orElse("");
      if (uuids.contains(uuid)
          && gpu.computeProcesses().toOptional().map(List::isEmpty).orElse(false).equals(false)) {
        say("busy " + uuid);
        idle = false;
      }
    }
    return idle;
  }

  private void describe(int index, NvmlGpu gpu) {
    Reading<List<NvmlGpu.GpuProcess>> processes = gpu.computeProcesses();
    Optional<String> uuid = gpu.uuid().toOptional();
    if (uuid.isEmpty() || processes.toOptional().isEmpty()) {
      say("problem GPU " + index + ": NVML does not list its compute processes");
      return;
    }
    boolean mig = gpu.migMode().toOptional().map(mode -> mode.current() == 1).orElse(false);
    say(
        "gpu %d %s %d %s %s"
            .formatted(
                index,
                uuid.get(),
                processes.toOptional().get().size(),
                mig ? "mig" : "whole",
                gpu.name().toOptional().orElse("unknown")));
  }

  private void test(List<String> args) {
    List<String> uuids = args.subList(3, args.size());
    if (!idle(args.get(1), uuids)) {
      return;
    }
    Reading<CudaDriver> loaded = CudaDriver.load(args.get(2));
    if (!(loaded instanceof Reading.Present<CudaDriver> present)) {
      say("problem " + args.get(2) + ": " + loaded.failure().orElse("missing"));
      return;
    }
    CudaDriver driver = present.value();
    Load load = driver.simulated() ? Load.SIMULATED : Load.REAL;
    if (driver.simulated()) {
      say("simulated");
    }
    try {
      say("begin " + DeepTest.HOST_TO_DEVICE.text());
      driver.init();
      Optional<CudaGpu> gpu = driver.open(uuids.get(0));
      if (gpu.isEmpty()) {
        say("problem CUDA does not show " + uuids.get(0));
      } else if (args.get(0).equals(TEST)) {
        alone(gpu.get(), load);
      } else {
        peers(driver, gpu.get(), load, uuids.subList(1, uuids.size()));
      }
    } catch (CudaException failed) {
      error(args.get(0).equals(TEST) ? DeepTest.HOST_TO_DEVICE : DeepTest.PEER_COPY, failed);
    }
  }

  private void alone(CudaGpu gpu, Load load) throws CudaException {
    Buffers buffers = gpu.buffers(load.bytes(), load.copies());
    step(DeepTest.HOST_TO_DEVICE, "-", buffers::hostToDevice);
    step(DeepTest.DEVICE_TO_HOST, "-", buffers::deviceToHost);
    step(DeepTest.DEVICE_COPY, "-", buffers::deviceToDevice);
    step(DeepTest.ARITHMETIC, "-", () -> gpu.arithmetic(STEPS).run(load.launches(), load.rounds()));
    gpu.close();
  }

  private void peers(CudaDriver driver, CudaGpu gpu, Load load, List<String> uuids)
      throws CudaException {
    say("begin " + DeepTest.PEER_COPY.text());
    List<CudaGpu> opened = new ArrayList<>();
    for (String uuid : uuids) {
      Optional<CudaGpu> peer = driver.open(uuid);
      if (peer.isPresent()) {
        opened.add(peer.get());
      }
    }
    if (opened.size() < uuids.size()) {
      say("problem CUDA does not show all GPUs");
      return;
    }
    Buffers buffers = gpu.buffers(load.bytes(), load.copies());
    for (int i = 0; i < opened.size(); i++) {
      CudaGpu peer = opened.get(i);
      if (gpu.canAccess(peer)) {
        step(DeepTest.PEER_COPY, uuids.get(i), () -> buffers.toPeer(peer));
      }
    }
    say("end " + DeepTest.PEER_COPY.text());
  }

  private void step(DeepTest test, String peer, Step step) {
    say("begin " + test.text());
    try {
      Measured measured = step.measure();
      say(
          "test %s %s %s %s"
              .formatted(
                  test.text(), measured.right() ? "right" : "wrong", measured.perSecond(), peer));
    } catch (CudaException failed) {
      error(test, failed);
    }
  }

  private void error(DeepTest test, CudaException failed) {
    String whose = failed.mayBeTheGpu() ? "gpu" : "other";
    say("error " + test.text() + " " + whose + " " + failed.getMessage());
  }

  /** One line at once: the process may be killed after it. */
  private void say(String line) {
    out.println(line.replaceAll("[^ -~]", "?"));
    out.flush();
  }
}
