/**
 * The agent against a real GPU's own tool: every value that Lapwing shows beside what {@code
 * nvidia-smi -q -x} says.
 *
 * <p>Java because it is the one language that is certain to be on a host that runs the agent; only
 * the JDK's own classes, so that it runs on the JRE that ships with the agent.
 *
 * <p>Reading order: {@link io.lapwing.bench.acceptance.Main}, {@link
 * io.lapwing.bench.acceptance.Checks} (what is compared, and how closely), then what those use.
 */
@NullMarked
package io.lapwing.bench.acceptance;

import org.jspecify.annotations.NullMarked;
