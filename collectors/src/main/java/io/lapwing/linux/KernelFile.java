package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A small file of the kernel. */
public final class KernelFile {

  /** A page: no attribute of sysfs is longer. */
  private static final int MOST_BYTES = 4096;

  private static final int USUAL = 128;

  private KernelFile() {}

  /**
   * Its first page without surrounding space; a file that is not there is missing, not a failure.
   */
  public static Reading<String> text(Path file) {
    try (var in = Files.newInputStream(file)) {
      return Reading.of(
          new String(FirstBytes.of(in, USUAL, MOST_BYTES), StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(file.toString());
    } catch (AccessDeniedException denied) {
      return new Reading.Failed<>(file.toString(), "no_permission");
    } catch (IOException broken) {
      return new Reading.Failed<>(file.toString(), "io");
    }
  }
}
