/**
 * Compares every value of the agent with {@code nvidia-smi -q -x} on real GPUs.
 *
 * <p>Needs nothing but the driver: Java without libraries, which runs on the JRE that ships with
 * the agent, and {@link io.lapwing.bench.gpu}, which uses the agent's own clients of NVML, CUDA and
 * DCGM.
 *
 * <p>Reading order: {@link io.lapwing.bench.acceptance.Main}, {@link
 * io.lapwing.bench.acceptance.Checks} (compared metrics and tolerances), then their dependencies.
 */
@NullMarked
package io.lapwing.bench.acceptance;

import org.jspecify.annotations.NullMarked;
