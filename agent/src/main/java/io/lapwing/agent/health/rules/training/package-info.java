/**
 * The rules of training loops. What a loop tells of itself says more of the job than of the node,
 * so nothing here ever asks for a node to be replaced.
 */
@NullMarked
package io.lapwing.agent.health.rules.training;

import org.jspecify.annotations.NullMarked;
