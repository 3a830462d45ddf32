/**
 * Rules on EFA devices. No vendor publishes thresholds: the presets are Lapwing's own, as their
 * texts state.
 */
@NullMarked
package io.lapwing.agent.health.rules.efa;

import org.jspecify.annotations.NullMarked;
