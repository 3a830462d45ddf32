/** The health of a node, by its agent. */
@NullMarked
package io.lapwing.drain.health;

import org.jspecify.annotations.NullMarked;
