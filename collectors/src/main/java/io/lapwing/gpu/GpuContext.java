package io.lapwing.gpu;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What the sources of the GPUs share.
 *
 * @param nanoTime monotonic, for rates
 */
public record GpuContext(
    NvmlDriver driver,
    GpuRoster roster,
    GpuView view,
    InstantSource clock,
    LongSupplier nanoTime) {}
