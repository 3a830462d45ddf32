/** Evaluates the node: deduplicated events, snapshots of the sources, rules, findings. */
@NullMarked
package io.lapwing.agent.health.engine;

import org.jspecify.annotations.NullMarked;
