package io.lapwing.agent.events;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;

/** A file system of 64 KiB in memory, where this user may mount one. */
public record SmallDisk(Path path) implements AutoCloseable {

  /** Mounts it; a test that may not is skipped. */
  public static SmallDisk mount(Path at) throws IOException {
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", at.toString()))
        .as("only root may mount")
        .isZero();
    return new SmallDisk(at);
  }

  /** With {@code ro} or {@code rw}. */
  public void remount(String mode) throws IOException {
    int code = run("mount", "-o", "remount," + mode, path.toString());
    if (code != 0) {
      throw new IOException("cannot be mounted " + mode);
    }
  }

  private static int run(String... command) {
    try {
      return new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .onExit()
          .join()
          .exitValue();
    } catch (IOException noSuchProgram) {
      return -1;
    }
  }

  @Override
  public void close() throws IOException {
    int code = run("umount", path.toString());
    if (code != 0) {
      throw new IOException(path + " is still mounted");
    }
  }
}
