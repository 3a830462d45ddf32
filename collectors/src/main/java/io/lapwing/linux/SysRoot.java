package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.nio.file.Path;

/**
 * Where sysfs is mounted.
 *
 * @param path {@code /sys} on a plain host
 */
public record SysRoot(Path path) {

  /** The trimmed text of a small file, such as {@code class/dmi/id/product_name}. */
  public Reading<String> text(String file) {
    return KernelFile.text(path.resolve(file));
  }
}
