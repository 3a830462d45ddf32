package io.lapwing.bench.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A big matrix product on every GPU, with a tool of this host. */
final class GpuLoad {

  private final Process process;

  private GpuLoad(Process process) {
    this.process = process;
  }

  /** Empty without nvcc and without a python3 with torch. */
  static Optional<GpuLoad> start(Path folder) throws IOException, InterruptedException {
    Optional<List<String>> command = compiled(folder);
    if (command.isEmpty()) {
      command = python(folder);
    }
    if (command.isEmpty()) {
      return Optional.empty();
    }
    Process process = builder(command.get(), folder).start();
    if (process.waitFor(5, TimeUnit.SECONDS)) {
      throw new IOException("the load ended at once; see " + folder.resolve("load.log"));
    }
    return Optional.of(new GpuLoad(process));
  }

  private static Optional<List<String>> compiled(Path folder)
      throws IOException, InterruptedException {
    Path source = unpack("matrix_product.cu", folder);
    Path program = folder.resolve("matrix_product");
    return succeeds(List.of("nvcc", "-O3", "-o", program.toString(), source.toString()), folder)
        ? Optional.of(List.of(program.toString()))
        : Optional.empty();
  }

  private static Optional<List<String>> python(Path folder)
      throws IOException, InterruptedException {
    Path source = unpack("matrix_product.py", folder);
    return succeeds(List.of("python3", "-c", "import torch"), folder)
        ? Optional.of(List.of("python3", source.toString()))
        : Optional.empty();
  }

  private static Path unpack(String name, Path folder) throws IOException {
    Path target = folder.resolve(name);
    try (InputStream in = GpuLoad.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the jar lacks " + name);
      }
      Files.copy(in, target);
    }
    return target;
  }

  /** False if the program is not installed. */
  private static boolean succeeds(List<String> command, Path folder) throws InterruptedException {
    try {
      return builder(command, folder).start().waitFor() == 0;
    } catch (IOException notInstalled) {
      return false;
    }
  }

  private static ProcessBuilder builder(List<String> command, Path folder) {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("load.log").toFile()));
  }

  void close() {
    process.destroy();
  }
}
