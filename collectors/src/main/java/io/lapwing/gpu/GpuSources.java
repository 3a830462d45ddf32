package io.lapwing.gpu;

import io.lapwing.collect.Source;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes the source of each GPU.
 *
 * @param subjects makes the subjects of one GPU, since some keep what they saw
 */
public record GpuSources(
    NvmlDriver driver,
    GpuRoster roster,
    GpuView view,
    InstantSource clock,
    Supplier<List<GpuSubject>> subjects) {

  public Source source(int index) {
    return new GpuSource(index, driver, roster, view, clock, subjects.get());
  }
}
