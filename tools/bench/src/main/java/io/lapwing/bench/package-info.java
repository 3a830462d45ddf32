/**
 * The agent side by side with node_exporter: the same client, the same machine, in turn.
 *
 * <p>Reading order: {@link io.lapwing.bench.Main}, {@link io.lapwing.bench.SideBySide}, then their
 * dependencies.
 */
@NullMarked
package io.lapwing.bench;

import org.jspecify.annotations.NullMarked;
