package io.lapwing.gpu;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The shared context of the GPU sources.
 *
 * @param nanoTime monotonic, for rates
 */
public record GpuContext(
    NvmlDriver driver,
    GpuRoster roster,
    GpuView view,
    InstantSource clock,
    LongSupplier nanoTime) {}
