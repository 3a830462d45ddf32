/**
 * Rules on training loops: they concern the job more than the node, so none requires a replacement.
 */
@NullMarked
package io.lapwing.agent.health.rules.training;

import org.jspecify.annotations.NullMarked;
