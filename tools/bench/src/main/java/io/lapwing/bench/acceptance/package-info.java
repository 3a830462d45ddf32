/**
 * Compares every value of the agent with {@code nvidia-smi -q -x} on real GPUs.
 *
 * <p>Java without libraries, so that it runs on the JRE that ships with the agent.
 *
 * <p>Reading order: {@link io.lapwing.bench.acceptance.Main}, {@link
 * io.lapwing.bench.acceptance.Checks} (compared metrics and tolerances), then their dependencies.
 */
@NullMarked
package io.lapwing.bench.acceptance;

import org.jspecify.annotations.NullMarked;
