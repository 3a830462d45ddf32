/**
 * The rules of EFA devices. Nobody publishes thresholds for their counters; the presets are
 * Lapwing's own, and say so.
 */
@NullMarked
package io.lapwing.agent.health.rules.efa;

import org.jspecify.annotations.NullMarked;
