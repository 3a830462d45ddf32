/** What the agent of a node says. */
@NullMarked
package io.lapwing.drain.health;

import org.jspecify.annotations.NullMarked;
