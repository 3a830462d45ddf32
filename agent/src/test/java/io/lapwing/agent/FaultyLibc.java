package io.lapwing.agent;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;

/** A C library for one process, with a time of day of its own and a disk that hangs. */
final class FaultyLibc {

  private static final String SOURCE = "faulty_libc.c";

  private final Path library;
  private final Path orders;

  private FaultyLibc(Path library, Path orders) {
    this.library = library;
    this.orders = orders;
  }

  /** Compiles it; a test is skipped where nothing compiles C. */
  static FaultyLibc in(Path dir) throws IOException, InterruptedException {
    Path source = dir.resolve(SOURCE);
    try (InputStream text = FaultyLibc.class.getResourceAsStream(SOURCE)) {
      if (text == null) {
        throw new IOException("the tests have no " + SOURCE);
      }
      Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
    }
    Path library = dir.resolve("faulty_libc.so");
    assumeThat(compiles(source, library)).as("gcc is missing").isTrue();
    return new FaultyLibc(library, Files.writeString(dir.resolve("orders"), ""));
  }

  private static boolean compiles(Path source, Path library) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "gcc",
                  "-O1",
                  "-fPIC",
                  "-shared",
                  "-o",
                  library.toString(),
                  source.toString(),
                  "-ldl")
              .inheritIO()
              .start()
              .waitFor()
          == 0;
    } catch (IOException noCompiler) {
      return false;
    }
  }

  /** The environment for the process. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "FAULTY_LIBC", orders.toString());
  }

  /** Sets the time of day. */
  void setClock(Duration by) throws IOException {
    order("clock " + by.toSeconds());
  }

  /** Lets what forces a file to the disk take so long. */
  void slowSync(Duration each) throws IOException {
    order("sync " + each.toMillis());
  }

  /** Makes listing and opening there hang. */
  void hang(Path folder) throws IOException {
    order("sync -1\nfolder " + folder);
  }

  void heal() throws IOException {
    order("");
  }

  /** Never half of it: a process reads it at any time. */
  private void order(String lines) throws IOException {
    Path next = orders.resolveSibling("orders.next");
    Files.writeString(next, lines + "\n");
    Files.move(next, orders, StandardCopyOption.ATOMIC_MOVE);
  }
}
