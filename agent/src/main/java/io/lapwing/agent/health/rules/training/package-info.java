/**
 * The rules on training loops. A loop's own figures concern the job more than the node, so none of
 * these rules requires a replacement.
 */
@NullMarked
package io.lapwing.agent.health.rules.training;

import org.jspecify.annotations.NullMarked;
