package io.lapwing.simulator;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;

/** The step writers that ranks of a simulated job can use. */
enum StepsWriter {
  /** The Python package, imported by Python directly from this program's jar. */
  PYTHON {
    @Override
    ProcessBuilder program(Path dir) throws IOException {
      ProcessBuilder program = new ProcessBuilder("python3", "-m", "training_job");
      program.environment().put("PYTHONPATH", classes() + "/python");
      // Do not create __pycache__ in the build folder.
      program.environment().put("PYTHONDONTWRITEBYTECODE", "1");
      return program;
    }
  },

  /** The C library. */
  C {
    @Override
    ProcessBuilder program(Path dir) throws IOException {
      Path file = dir.resolve("lib/training-job");
      NativeFiles.copy("training-job", file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      return new ProcessBuilder(file.toString());
    }
  };

  /** Order in which writers are tried by default: Python may be missing. */
  static final List<StepsWriter> PREFERRED = List.of(PYTHON, C);

  /**
   * The program that runs the ranks, without its arguments.
   *
   * @param dir of the node
   */
  abstract ProcessBuilder program(Path dir) throws IOException;

  private static Path classes() throws IOException {
    try {
      return Path.of(StepsWriter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException("this program does not know where it lies", e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
