package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.cuda.CudaDriver;
import io.lapwing.cuda.CudaException;
import io.lapwing.cuda.CudaGpu;
import io.lapwing.cuda.CudaGpu.Arithmetic;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/**
 * {@code LoadMain CUDA-LIBRARY UUID...}: runs the arithmetic kernel of {@code lapwing check --deep}
 * on these GPUs until its standard input ends. Prints a line for each fact:
 *
 * <pre>
 * running UUID       once, when the GPU computes
 * wrong UUID         a result differs from the host's
 * problem MESSAGE    and ends with 1
 * </pre>
 */
public final class LoadMain {

  private static final int STEPS = 4096;

  /** About a second on an H100; the pause to compare the results is a few milliseconds. */
  private static final int LAUNCHES = 3000;

  private LoadMain() {}

  public static void main(String[] arguments) throws IOException {
    List<String> uuids = List.of(arguments).subList(1, arguments.length);
    Reading<CudaDriver> loaded = CudaDriver.load(arguments[0]);
    if (!(loaded instanceof Reading.Present<CudaDriver> present)) {
      end(arguments[0] + ": " + loaded.failure().orElse("missing"));
      return;
    }
    CudaDriver driver = present.value();
    try {
      driver.init();
    } catch (CudaException failed) {
      end(String.valueOf(failed.getMessage()));
      return;
    }
    for (String uuid : uuids) {
      Thread gpu = new Thread(() -> run(driver, uuid), uuid);
      gpu.setDaemon(true);
      gpu.start();
    }
    // The parent process holds the other end, so the load ends when the parent is killed.
    System.in.transferTo(OutputStream.nullOutputStream());
    Runtime.getRuntime().halt(0);
  }

  private static void run(CudaDriver driver, String uuid) {
    try {
      Optional<CudaGpu> gpu = driver.open(uuid);
      if (gpu.isEmpty()) {
        end("CUDA does not show " + uuid);
        return;
      }
      // A simulated GPU computes on the host.
      boolean simulated = driver.simulated();
      compute(gpu.get().arithmetic(simulated ? 4 : STEPS), simulated ? 1 : LAUNCHES, uuid);
    } catch (CudaException failed) {
      end(uuid + ": " + failed.getMessage());
    }
  }

  private static void compute(Arithmetic arithmetic, int launches, String uuid)
      throws CudaException {
    boolean announced = false;
    while (true) {
      if (!arithmetic.run(launches).right()) {
        say("wrong " + uuid);
      }
      if (!announced) {
        say("running " + uuid);
        announced = true;
      }
      if (launches == 1) {
        rest();
      }
    }
  }

  private static void rest() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void end(String message) {
    say("problem " + message);
    Runtime.getRuntime().halt(1);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
